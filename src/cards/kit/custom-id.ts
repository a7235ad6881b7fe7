/**
 * The custom id of a button or menu: `1:<command>:<action>:<subject>`, where the action is a word, a number, both
 * (`garage-2`), and all of them behind `refresh-` if a newer record is wanted. All state is in it, so that it works
 * after a restart and a month later. It comes back from Discord and is checked like any other input.
 */
const VERSION = '1';
/** Of Discord, in UTF-16 units: an emoji is two or more. */
const LIMIT = 100;

export interface CustomId {
  /** Whose action it is. */
  readonly command: string;
  /** What to do: the name of one of the command's actions, in small letters. Empty for the first one, if it refreshes. */
  readonly action: string;
  /** A page, or whatever else the action counts; 0 to 9999. */
  readonly number?: number | undefined;
  /** Whom or what it is about: a username, a VIN; anything may stand in it. */
  readonly subject: string;
  /** Whether it asks for a newer record. */
  readonly refresh?: boolean;
}

function joined({ command, action, number, subject, refresh = false }: CustomId): string {
  const words = [
    ...(refresh ? ['refresh'] : []),
    ...(action === '' ? [] : [action]),
    ...(number === undefined ? [] : [number]),
  ];
  return `${VERSION}:${command}:${words.join('-')}:${subject}`;
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

const FORM =
  /^(?<version>\d+):(?<command>[^:]+):(?<refresh>refresh(?=[-:]))?-?(?<action>[a-z]+)?-?(?<number>\d{1,4})?:(?<subject>.*)$/su;

/** Null for whatever this version did not write. */
export function readCustomId(id: string): CustomId | null {
  const { version, command, action = '', number, subject, refresh } = FORM.exec(id)?.groups ?? {};
  if (version !== VERSION || command === undefined || subject === undefined) return null;
  const read = {
    ...{ command, action, subject, refresh: refresh !== undefined },
    number: number === undefined ? undefined : Number(number),
  };
  // The form is more generous than what is written: `-page2`, `garage-002`.
  return joined(read) === id && (action !== '' || read.refresh) ? read : null;
}
