import { serverNames } from '../cards/servers/server-lines.ts';
import type { BoardOptions } from './boards.ts';
import { ALL, boardOptions, chosenOptions } from './command-options/board-options.ts';
import type { Fields, Values } from './form.ts';

const common = {
  language: { kind: 'choice', label: 'board.options.language', choices: boardOptions.language.choices },
  servers: { kind: 'several', label: 'board.servers', hint: 'board.serversHint', choices: serverNames },
  members: { kind: 'choice', label: 'board.options.members', choices: boardOptions.members.choices },
} as const satisfies Fields;
const names = { kind: 'choice', label: 'board.options.names', choices: boardOptions.names.choices } as const;
const topic = { kind: 'choice', label: 'board.topic', choices: boardOptions.topic.choices } as const;
/** A window has room for five fields, and the last one says that there is more. */
const hint = 'board.moreHint';

/** What a new board shows, as fields of a form beside that of its channel. */
export const newBoardFields = { ...common, names: { ...names, hint } } as const satisfies Fields;

/** What a board shows, as fields of a form. */
export const boardFields = { ...common, names, topic: { ...topic, hint } } as const satisfies Fields;

type BoardValues = Values<typeof boardFields>;

/** What the form holds for a board with these options. */
export function boardValues(shown: BoardOptions): BoardValues {
  const { language, servers, members, names: named, topic: headline } = shown;
  return {
    language: language ?? 'usual',
    servers: servers?.join(' ') ?? '',
    members,
    names: named,
    topic: headline,
  };
}

/** A new board's form has no topic. */
type Changeable = Omit<BoardValues, 'topic'> & Partial<Pick<BoardValues, 'topic'>>;

/** The options that the person changed in the form. */
export function changedOptions(
  { language, servers, members, names: shown, topic: headline }: Changeable,
  begun: Partial<BoardValues> = {},
): Partial<BoardOptions> {
  return chosenOptions({
    language: language === begun.language ? null : language,
    servers: servers === begun.servers ? null : servers === '' ? ALL : servers,
    members: members === begun.members ? null : members,
    names: shown === begun.names ? null : shown,
    topic: headline === undefined || headline === begun.topic ? null : headline,
  });
}
