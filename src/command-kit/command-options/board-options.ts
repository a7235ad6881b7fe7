import { z } from 'zod';
import type { BoardOptions } from '../../cards/board/board.ts';
import { serverLabel, serverNames } from '../../cards/servers/server-lines.ts';
import type { TextKey } from '../../i18n/translator.ts';
import type { Fields, Values } from '../form.ts';
import type { Args, Options, TextOption } from '../option.ts';
import { settingsChoices } from './settings-choices.ts';

const { reader: _, ...languages } = settingsChoices.language;

/** `usual`: the language of the server. */
const boardLanguageChoices = { usual: 'board.choice.language', ...languages } as const;

const memberChoices = {
  on: 'board.choice.members.on',
  folded: 'board.choice.members.folded',
  off: 'board.choice.members.off',
} as const satisfies Readonly<Record<BoardOptions['members'], TextKey>>;

const memberNameChoices = {
  on: 'board.choice.names.on',
  off: 'board.choice.names.off',
} as const satisfies Readonly<Record<BoardOptions['names'], TextKey>>;

const knownServers = Object.keys(serverNames);

/** Typed instead of a list. */
const ALL = 'all';

/** `Two,one` → `two, one`, or `all`. */
const Servers = z.string().transform((input, context) => {
  const names = [...new Set(namesIn(input))];
  const isList = names.length > 0 && names.every((name) => knownServers.includes(name));
  if (isList || (names.length === 1 && names[0] === ALL)) return names.join(', ');
  context.addIssue({ code: 'custom', message: 'no such servers' });
  return z.NEVER;
});

/** Servers by the service's names, since a list of them is typed. */
const servers = {
  kind: 'text',
  description: 'board.options.servers',
  required: false,
  schema: Servers,
  wrong: 'input.servers',
  suggested(input, { t }) {
    const normalizeLabel = (label: string): string => label.trim().toLowerCase();
    if (normalizeLabel(input) === normalizeLabel(t('board.choice.servers'))) return ALL;
    const names = input
      .split(',')
      .map((label) =>
        knownServers.find((name) => normalizeLabel(serverLabel(name, t)) === normalizeLabel(label)),
      );
    return names.every((name) => name !== undefined) ? names.join(', ') : null;
  },
  complete(input, { t }) {
    const earlierNames = namesIn(input).slice(0, -1);
    const prefix = namesIn(input).at(-1) ?? '';
    const isComplete = knownServers.includes(prefix);
    const chosenNames = isComplete ? [...earlierNames, prefix] : earlierNames;
    const isNext = (name: string): boolean =>
      isComplete || [name, serverLabel(name, t).toLowerCase()].some((word) => word.startsWith(prefix));
    const next = knownServers.filter((name) => !chosenNames.includes(name) && isNext(name));
    const list = (names: readonly string[]) => ({
      name: names.map((name) => serverLabel(name, t)).join(', '),
      value: names.join(', '),
    });
    const firstChoices =
      chosenNames.length === 0 ? [{ name: t('board.choice.servers'), value: ALL }] : [list(chosenNames)];
    return [...firstChoices, ...next.map((name) => list([...chosenNames, name]))];
  },
} as const satisfies TextOption;

export const boardOptions = {
  language: {
    kind: 'choice',
    description: 'board.options.language',
    required: false,
    choices: boardLanguageChoices,
  },
  servers,
  members: { kind: 'choice', description: 'board.options.members', required: false, choices: memberChoices },
  names: { kind: 'choice', description: 'board.options.names', required: false, choices: memberNameChoices },
} as const satisfies Options;

/** The options that were given; the others are absent. A form has the same names and values. */
export function chosenOptions(args: Partial<Args<typeof boardOptions>>): Partial<BoardOptions> {
  const { language, servers: serverList, members, names } = args;
  return {
    ...(language ? { language: language === 'usual' ? null : language } : {}),
    ...(serverList ? { servers: serverList === ALL ? null : [...namesIn(serverList)] } : {}),
    ...(members ? { members } : {}),
    ...(names ? { names } : {}),
  };
}

function namesIn(input: string): readonly string[] {
  return input
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((name) => name !== '');
}

export const boardFields = {
  language: { kind: 'choice', label: 'board.options.language', choices: boardOptions.language.choices },
  servers: { kind: 'several', label: 'board.servers', hint: 'board.serversHint', choices: serverNames },
  members: { kind: 'choice', label: 'board.options.members', choices: boardOptions.members.choices },
  names: { kind: 'choice', label: 'board.options.names', choices: boardOptions.names.choices },
} as const satisfies Fields;

type BoardValues = Values<typeof boardFields>;

/** The form of a board with these options. */
export function boardValues(options: BoardOptions): BoardValues {
  const { language, servers, members, names } = options;
  return { language: language ?? 'usual', servers: servers?.join(' ') ?? '', members, names };
}

/** The options that the person changed in the form. */
export function changedOptions(
  { language, servers, members, names }: BoardValues,
  initialValues: Partial<BoardValues> = {},
): Partial<BoardOptions> {
  return chosenOptions({
    language: language === initialValues.language ? null : language,
    servers: servers === initialValues.servers ? null : servers === '' ? ALL : servers,
    members: members === initialValues.members ? null : members,
    names: names === initialValues.names ? null : names,
  });
}
