/**
 * The custom id of a button or menu: `1:<command>:<action>:<subject>`. All state is in it, so that it works
 * after a restart and a month later. It comes back from chat and is checked like any other input.
 */
const VERSION = '1';
/** Of Discord, in UTF-16 units: an emoji is two or more. */
const LIMIT = 100;

export interface CustomId {
  /** Whose `act` it is for. */
  readonly command: string;
  /** What to do, in the command's own short words; no colon. */
  readonly action: string;
  /** Whom or what it is about: a username, a VIN; anything may stand in it. */
  readonly subject: string;
}

function joined({ command, action, subject }: CustomId): string {
  return `${VERSION}:${command}:${action}:${subject}`;
}

/** Whether it can be written: two long names do not fit into one id. */
export function fitsCustomId(id: CustomId): boolean {
  return joined(id).length <= LIMIT;
}

/** The longest subject, a username of 64 units, leaves 34 for command and action. */
export function writeCustomId(id: CustomId): string {
  if (!fitsCustomId(id)) throw new RangeError(`a custom id of ${id.command} ${id.action} is too long`);
  return joined(id);
}

/** Whether it asks for a newer record. The actions that do begin with `refresh`. */
export function asksAnew({ action }: Pick<CustomId, 'action'>): boolean {
  return /^refresh(?:-|$)/.test(action);
}

/** Null for whatever this version did not write. */
export function readCustomId(id: string): CustomId | null {
  const match = /^(?<version>\d+):(?<command>[^:]+):(?<action>[^:]*):(?<subject>.*)$/su.exec(id)?.groups;
  const { version, command, action, subject } = match ?? {};
  if (version !== VERSION || command === undefined || action === undefined || subject === undefined)
    return null;
  return { command, action, subject };
}
