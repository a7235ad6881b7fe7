import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import { type Finding, failed, ok } from './finding.ts';

/** In ms; a bot on this machine answers within a hundredth. */
const PATIENCE = 2000;
/** Of the health of a bot that runs. */
const Health = z.object({ status: z.string(), checks: z.record(z.string(), z.unknown()) });

/** Whether health and metrics can be served there; none where they need not be. */
export async function httpFindings(address: ListenAddress | null): Promise<readonly Finding[]> {
  if (address === null) return [];
  const why = await whyTaken(address);
  if (why === null)
    return [ok('http', `port ${address.port} of ${address.host} is free for health and metrics`)];
  if (why === 'EADDRINUSE' && (await isBot(address)))
    return [ok('http', `a running Pitwall serves health and metrics on port ${address.port}`)];
  const says = `HTTP_PORT: port ${address.port} of ${address.host} cannot be used (${why})`;
  return [failed('http', says, 'Choose another port, or end the program that has it.')];
}

async function whyTaken({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  } finally {
    server.close();
  }
}

async function isBot({ host, port }: ListenAddress): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(PATIENCE) });
    return Health.safeParse(await answer.json()).success;
  } catch {
    return false;
  }
}
