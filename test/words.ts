/**
 * `npm run words`: where names, comments and titles are not plain English, and how many such places there are. It never fails:
 * a figure shows the direction, and a reader judges the word. `npm run words -- titles` prints the places of one row alone.
 */
import { globSync, readFileSync } from 'node:fs';

/** Words that say nothing as a name alone; with a noun they are fine (`knownNames`). */
const NO_NAME_ALONE = new Set(
  `about above again ahead allowed alone around asked away before begun behind below beside built called chosen claimed closed
  done down drawn due early ended enough found given gone heard held here hidden joined kept known late lately left lost made
  meant missing named needed offered others out over own posted present said seen sent shown since spoken stored taken there
  told tried typed under until used waiting wanted whole within without written yours theirs elsewhere meanwhile twice`.split(
    /\s+/,
  ),
);

/** An exported function is a verb with its object, so that one word is too little: `said`, `follow`. */
const ONE_WORD = /^[a-z]+$/;

/** First words of a clause, a pronoun or an adverb. */
const CLAUSE =
  /^(?:What|Whatever|Whoever|Who|Whose|Which|Where|Those|These|One that|One who|Of|It|They|Them|Its|Also|So|Such|The same)\b/;

const DIALECT = /\b(?:house|houses|room|rooms|floor|floors)\b/gi;
const MAX_TITLE_LENGTH = 80;

interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const root = new URL('..', import.meta.url).pathname;
const readAll = (patterns: readonly string[]) =>
  globSync([...patterns], { cwd: root, exclude: ['node_modules/**', '**/node_modules/**', 'dist/**'] })
    .toSorted()
    .map((file) => ({ file, text: readFileSync(root + file, 'utf8') }));

const product = readAll(['src/**/*.ts', 'commands/**/*.ts']).filter(
  ({ file }) => !file.startsWith('src/sandbox/'),
);
const sandbox = readAll(['src/sandbox/**/*.ts']);
const tests = readAll(['test/**/*.ts']).filter(({ file }) => file !== 'test/words.ts');
const documents = readAll([
  '*.md',
  '.github/**/*.md',
  'src/**/*.md',
  'commands/*.md',
  'test/**/*.md',
  'deploy/*.md',
]);

/** Returns each match of the pattern whose group (the whole match without one) passes, with its line. */
function findPlaces(
  files: readonly { readonly file: string; readonly text: string }[],
  pattern: RegExp,
  passes: (word: string) => boolean,
): readonly Place[] {
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const word = match.slice(1).find((group) => group !== undefined) ?? match[0];
      if (!passes(word)) return [];
      return [{ file, line: text.slice(0, match.index).split('\n').length, text: word }];
    }),
  );
}

const EXPORT = /^export (?:async )?function (\w+)/gm;
const LOCAL = /\b(?:const|let|function)\s+(\w+)\b(?!\s*:\s*typeof)/g;
const COMMENT = /(?:\/\*\*?|^[ \t]*\/\/)[ \t]*(?:\r?\n[ \t]*\*[ \t]*)?([A-Z`'"][^\n]*)/gm;
const TITLE =
  /^\s*(?:(?:test|it)(?:\.\w+(?:\([^)\n]*\))?)*|\](?: as const)?\))\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`|"([^"\n]*)")/gm;

const code = [...product, ...sandbox];
const comments = findPlaces(code, COMMENT, () => true);
const titles = findPlaces(tests, TITLE, () => true);
const plainTests = tests.map(({ file, text }) => ({
  file,
  text: text.replaceAll('Math.floor', 'Math.round'),
}));

const rows: Readonly<
  Record<string, { readonly what: string; readonly of: number | null; readonly places: readonly Place[] }>
> = {
  exports: {
    what: 'exported functions of one word',
    of: findPlaces(product, EXPORT, () => true).length,
    places: findPlaces(product, EXPORT, (name) => ONE_WORD.test(name)),
  },
  locals: {
    what: 'const, let and function that are a participle or an adverb alone',
    of: findPlaces(product, LOCAL, () => true).length,
    places: findPlaces(product, LOCAL, (name) => NO_NAME_ALONE.has(name)),
  },
  comments: {
    what: 'comments that begin with a clause, a pronoun or an adverb',
    of: comments.length,
    places: comments.filter(({ text }) => CLAUSE.test(text)),
  },
  titles: {
    what: `titles of tests longer than ${MAX_TITLE_LENGTH} characters`,
    of: titles.length,
    places: findPlaces(tests, TITLE, (title) => title.length > MAX_TITLE_LENGTH),
  },
  dialect: {
    what: 'house, room and floor in documents and tests',
    of: null,
    places: findPlaces([...documents, ...plainTests], DIALECT, () => true),
  },
};

const chosen = process.argv[2];
for (const [name, { places }] of Object.entries(rows))
  if (chosen === undefined || chosen === name)
    for (const { file, line, text } of places) console.log(`${name.padEnd(8)} ${file}:${line} ${text}`);
for (const [name, { what, of, places }] of Object.entries(rows)) {
  const share = of === null ? '' : ` of ${of} (${((places.length / of) * 100).toFixed(1)} %)`;
  console.log(`${name}: ${what}: ${places.length}${share}`);
}
