/** Discord's limits for the texts that it gets from catalogues as they are. */
import type { AnyCommand } from '../../src/command-kit/command.ts';
import type { Form } from '../../src/command-kit/form.ts';
import type { Options } from '../../src/command-kit/option.ts';
import type { Commands } from '../../src/discord/publish/load.ts';

const LIMIT = { description: 100, choice: 100, menu: 32, title: 45, label: 45, hint: 100 };

/** In characters, by the key of the text; the strictest where a text is used in several places. */
export function textLimits(commands: Commands): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  const all: readonly (readonly [key: string, limit: number])[] = [
    ...[...commands.values()].flatMap(ofCommand),
    ['discord.privateOption', LIMIT.description],
  ];
  for (const [key, limit] of all) limits.set(key, Math.min(limit, limits.get(key) ?? limit));
  return limits;
}

type Limited = readonly (readonly [key: string, limit: number])[];

function ofCommand(command: AnyCommand): Limited {
  const parts =
    'subcommands' in command ? Object.values(command.subcommands) : 'run' in command ? [command] : [];
  return [
    [command.description, LIMIT.description],
    ...(command.userMenu === undefined ? [] : ([[command.userMenu.name, LIMIT.menu]] as const)),
    ...('form' in command && command.form !== undefined ? ofForm(command.form) : []),
    ...parts.flatMap(
      (part): Limited => [
        [part.description, LIMIT.description],
        ...ofOptions(part.options),
        ...(part.form === undefined ? [] : ofForm(part.form)),
      ],
    ),
  ];
}

function ofOptions(options: Options): Limited {
  return Object.values(options).flatMap(
    (option): Limited => [
      [option.description, LIMIT.description],
      ...(option.kind === 'choice' ? choices(option.choices) : []),
    ],
  );
}

function ofForm({ title, fields }: Form): Limited {
  return [
    [title, LIMIT.title],
    ...Object.values(fields).flatMap(
      (field): Limited =>
        field.kind === 'kept'
          ? []
          : [
              [field.label, LIMIT.label],
              ...(field.hint === undefined ? [] : ([[field.hint, LIMIT.hint]] as const)),
              ...('choices' in field ? [field.choices, field.explanations ?? {}].flatMap(choices) : []),
            ],
    ),
  ];
}

function choices(texts: Readonly<Record<string, string>>): Limited {
  return Object.values(texts).map((key) => [key, LIMIT.choice] as const);
}
