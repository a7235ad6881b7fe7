/** Who may use commands, for `test/scenarios/who-may.test.ts`. */

/** `may`: it is offered and done. `told`: it is offered, and answered with why not. `not`: it is not offered. */
export type Right = 'may' | 'told' | 'not';

export interface Row {
  /** Where the command only leads to its subcommands. */
  readonly subcommand?: string;
  /** Left out: each option that has an example of its name. */
  readonly options?: (people: Others) => Given;
  readonly everyone: Right;
  readonly manager: Right;
  readonly direct: Right;
  /** In a guild without the bot, by a person who has Manage Server there. */
  readonly userData: Right;
}

export type Given = Readonly<Record<string, string | boolean>>;

interface Others {
  readonly player: string;
  readonly person: string;
  readonly place: string;
  readonly role: string;
}

export const lookUp = { everyone: 'may', manager: 'may', direct: 'may', userData: 'may' } as const;
export const onGuild = { everyone: 'may', manager: 'may', direct: 'not', userData: 'not' } as const;
export const toManage = { everyone: 'told', manager: 'may', direct: 'not', userData: 'not' } as const;
export const hiddenToManage = { everyone: 'not', manager: 'may', direct: 'not', userData: 'not' } as const;
export const ofAnother = { everyone: 'told', manager: 'may', direct: 'told', userData: 'told' } as const;
