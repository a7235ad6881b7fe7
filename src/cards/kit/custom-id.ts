/**
 * The custom id of a button or menu: `1:<command>:<action>:<subject>`. The action is a word, a number or both
 * (`garage-2`), after `refresh-` if a newer record is wanted, or after `share-` if everyone is to see it. It contains all state, so that it works after a
 * restart and a month later. It comes back from Discord and is validated like any other input.
 */
const VERSION = '1';
/** Discord's limit in UTF-16 units; an emoji takes two or more. */
const MAX_LENGTH = 100;

export interface CustomId {
  /** The command it belongs to. */
  readonly command: string;
  /** The name of one of the command's actions, in lower case. Empty for the first one, if it refreshes or shares. */
  readonly action: string;
  /** A page, or another number for the action; 0 to 9999. */
  readonly number?: number | undefined;
  /** A username, a VIN or any other text. */
  readonly subject: string;
  readonly refresh?: boolean;
  /** Shows the view to everyone in the channel. */
  readonly share?: boolean;
}

function joinId({ command, action, number, subject, refresh = false, share = false }: CustomId): string {
  const mode = refresh ? 'refresh-' : share ? 'share-' : '';
  const words = mode + (action === '' ? '' : `${action}-`) + (number === undefined ? '' : `${number}-`);
  return `${VERSION}:${command}:${words.slice(0, -1)}:${subject}`;
}

/** Two long names do not fit into Discord's limit. */
export function fitsCustomId(id: CustomId): boolean {
  return joinId(id).length <= MAX_LENGTH;
}

/** The longest subject, a username of 64 units, leaves 34 for command and action. */
export function writeCustomId(id: CustomId): string {
  const customId = joinId(id);
  if (customId.length > MAX_LENGTH)
    throw new RangeError(`a custom id of ${id.command} ${id.action} is too long`);
  return customId;
}

const FORM =
  /^(?<version>\d+):(?<command>[^:]+):(?<mode>(?:refresh|share)(?=[-:]))?-?(?<action>[a-z]+)?-?(?<number>\d{1,4})?:(?<subject>.*)$/su;

/** Null for an id that this version did not write. */
export function readCustomId(id: string): CustomId | null {
  const { version, command, action = '', number, subject, mode } = FORM.exec(id)?.groups ?? {};
  if (version !== VERSION || command === undefined || subject === undefined) return null;
  const read = {
    command,
    action,
    subject,
    refresh: mode === 'refresh',
    share: mode === 'share',
    number: number === undefined ? undefined : Number(number),
  };
  // The pattern also accepts forms that are never written: `-page2`, `garage-002`.
  return joinId(read) === id && (action !== '' || mode !== undefined) ? read : null;
}
