/** Gateway frames that are no event. */
import { GatewayCloseCodes, GatewayOpcodes } from 'discord.js';
import type { WebSocket } from 'ws';

export function tell(socket: WebSocket, op: GatewayOpcodes, d: unknown): void {
  socket.send(JSON.stringify({ op, d, s: null, t: null }));
}

/** Closes the connection. */
export function refuse(socket: WebSocket, code: GatewayCloseCodes): null {
  socket.close(code, GatewayCloseCodes[code]);
  return null;
}

/** The bot has to identify again, not at once. */
export function refuseSession(socket: WebSocket): null {
  tell(socket, GatewayOpcodes.InvalidSession, false);
  return null;
}
