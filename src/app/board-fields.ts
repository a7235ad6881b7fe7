import { serverNames } from '../cards/servers/server-lines.ts';
import { type BoardOptions, newBoardOptions } from '../store/board-records.ts';
import {
  ALL,
  boardLanguageChoices,
  chosenOptions,
  memberChoices,
  memberNameChoices,
} from './command-options/board-options.ts';
import type { Fields, Values } from './form.ts';

/** What a board shows, as fields of a form. */
export const boardFields = {
  language: { kind: 'choice', label: 'board.options.language', choices: boardLanguageChoices },
  servers: { kind: 'several', label: 'board.servers', hint: 'board.serversHint', choices: serverNames },
  members: { kind: 'choice', label: 'board.options.members', choices: memberChoices },
  names: { kind: 'choice', label: 'board.options.names', choices: memberNameChoices },
} as const satisfies Fields;

type BoardValues = Values<typeof boardFields>;

/** The form of a board that shows this, and all else as a usual new one does. */
export function boardValues(shown: Partial<BoardOptions> = {}): BoardValues {
  const { language, servers, members, names } = { ...newBoardOptions, ...shown };
  return { language: language ?? 'usual', servers: servers?.join(' ') ?? '', members, names };
}

/** What was changed in it. */
export function changedOptions(
  { language, servers, members, names }: BoardValues,
  begun: Partial<BoardValues> = {},
): Partial<BoardOptions> {
  return chosenOptions({
    language: language === begun.language ? null : language,
    servers: servers === begun.servers ? null : servers === '' ? ALL : servers,
    members: members === begun.members ? null : members,
    names: names === begun.names ? null : names,
  });
}
