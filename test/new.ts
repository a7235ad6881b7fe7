/**
 * `npm run new -- command <subject>/<name>`: writes a command that looks up a driver, with its card, its texts, a test of the
 * card, its row in the README of the commands and its line in the changelog. All of it is green, and meant to be changed.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const USAGE =
  'npm run new -- command <subject>/<name>, for example drivers/laps: up to 32 letters and hyphens';
/** Stricter than Discord: it becomes a key and the name of a function, too. */
const NAME = /^[a-z][a-z-]{0,31}$/;
const CHANGELOG = '.github/CHANGELOG.md';
const README = 'commands/README.md';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

process.exitCode = main(process.argv.slice(2));

function main([kind, path = '', ...others]: readonly string[]): number {
  const [subject = '', name = '', ...deeper] = path.split('/');
  if (kind !== 'command' || !NAME.test(name) || deeper.length > 0 || others.length > 0) return refuse(USAGE);
  const texts = `commands/${subject}/texts/en.ts`;
  if (!existsSync(join(root, texts)))
    return refuse(
      `There is no subject ${subject}: ${texts} has its texts, and commands/subjects.ts its line.`,
    );
  const files = filesOf(subject, name);
  const there = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (there !== undefined) return refuse(`${there} is there already.`);

  const changed = {
    ...files,
    [texts]: withTexts(read(texts), name),
    [README]: withRow(read(README), subject, name),
    [CHANGELOG]: withNews(read(CHANGELOG), name),
  };
  for (const [file, text] of Object.entries(changed)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    process.stdout.write(`${file}\n`);
  }
  process.stdout.write('\nNext: npm run check -- --write, then change what it does.\n');
  return 0;
}

function refuse(why: string): number {
  process.stderr.write(`${why}\n`);
  return 1;
}

/** `two-words` → `twoWords`. */
function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The topic of the subject's other commands, as it stands in their source. */
function topicOf(subject: string): string {
  const commands = globSync(`commands/${subject}/*.ts`, { cwd: root }).map(read);
  const topics = commands.map((text) => /^ {2}topic: ('\w+'),$/m.exec(text)?.[1]);
  return topics.find((topic) => topic !== undefined) ?? 'null';
}

/** A key that needs quotes gets them. */
function keyOf(name: string): string {
  return name.includes('-') ? `'${name}'` : name;
}

function filesOf(subject: string, name: string): Readonly<Record<string, string>> {
  const card = `${camel(name)}Card`;
  return {
    [`commands/${subject}/${name}.ts`]: `import { aboutPlayer } from '../../src/command-kit/about-player.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { profile } from '../../src/service/endpoints.ts';
import { ${card} } from './cards/${name}-card.ts';

export default defineCommand({
  description: '${camel(name)}.description',
  topic: ${topicOf(subject)},
  visibility: 'choice',
  showsDistances: true,
  options: { player: playerOption('profile.options.player', false) },

  ...aboutPlayer(show),
});

async function show(username: string, { service, t }: Context): Promise<Reply> {
  return ${card}(await service.get(profile, { username }), t);
}
`,
    [`commands/${subject}/cards/${name}-card.ts`]: `import { type Card, createCard } from '../../../src/cards/kit/card.ts';
import { driverName } from '../../../src/cards/kit/driver.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { formatDistance, labelledFact } from '../../../src/cards/kit/lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Profile } from '../../../src/service/models/profile.ts';

export function ${card}(answer: Answer<Profile>, t: Translator): Card {
  const metres = answer.record.stats?.known.driven_distance;
  const kilometres = metres === undefined ? null : metres / 1000;
  const lead = [
    oldData(answer, t),
    labelledFact(t('${camel(name)}.distance'), formatDistance(kilometres, t)),
  ];
  return createCard({ title: driverName(answer.record), lead, tail: asOf(answer, t) }, t);
}
`,
    [`test/commands/${subject}/cards/${name}-card.test.ts`]: `import { expect, test } from 'vitest';
import { ${card} } from '../../../../commands/${subject}/cards/${name}-card.ts';
import { textOf } from '../../../support/card-text.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { answer, driver } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');

test('shows what the driver has driven', () => {
  const card = ${card}(answer(driver()), t);
  expect(textOf(card)).toContain('km');
  expect(breaches(card)).toEqual([]);
});
`,
  };
}

/** Adds the name that is typed, and the texts. */
function withTexts(text: string, name: string): string {
  const block = `  ${camel(name)}: {
    description: 'A driver: one figure',
    distance: 'Distance',
  },
`;
  return text
    .replace('  typed: {\n', `  typed: {\n    ${keyOf(name)}: '${name}',\n`)
    .replace('} as const;\n', `${block}} as const;\n`);
}

/** Adds a row below the last one of the subject's commands. */
function withRow(text: string, subject: string, name: string): string {
  const lines = text.split('\n');
  const isOfSubject = (line: string): boolean =>
    [...line.matchAll(/^\| `\/([a-z-]+)/g)].some(([, command]) =>
      existsSync(join(root, `commands/${subject}/${command}.ts`)),
    );
  const last = lines.findLastIndex(isOfSubject);
  return lines.toSpliced(last + 1, 0, `| \`/${name} player:\` | one figure of a driver |`).join('\n');
}

function withNews(text: string, name: string): string {
  const [start, added] = ['## [Unreleased]\n', '### Added\n\n'];
  const whole = text.includes(start) ? text : text.replace(/^## /m, `${start}\n${added}\n## `);
  return whole.replace(added, `${added}- \`/${name}\`: one figure of a driver.\n`);
}
