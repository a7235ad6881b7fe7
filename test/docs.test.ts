/** What people read names what there is: paths, links, scripts, commands, settings. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { HELP } from '../src/base/config.ts';
import { MINUTE } from '../src/base/duration.ts';
import { BUSY_GAP_MS, EDIT_RULE } from '../src/messages/boards/edit-rule.ts';
import { TIMES_REFRESH } from '../src/messages/boards/pace.ts';
import { measures } from './measures.ts';
import { LONG_TESTS, LONGEST } from './support/order.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const find = (...patterns: string[]): readonly string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted();

const documents = find('*.md', '.github/**/*.md', '{commands,deploy,src,test}/**/*.md');
const others = find(
  '{src,test,commands}/**/*.ts',
  'deploy/*',
  '.github/**/*.yml',
  '.ci/*',
  '.env.example',
).filter((path) => !documents.includes(path));
const ignored = read('.gitignore').split('\n');
const scripts: Readonly<Record<string, string>> = manifest.scripts;

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))];
}

/** Those of the scripts that do not exist, with the name after `--` where they have one for each measure. */
function unknownScripts(text: string): readonly string[] {
  const named = matches(text, /npm run (?:--?s(?:ilent)? )?([a-z][\w:-]*(?: -- [a-z]\w*)?)/g);
  return named.filter((each) => {
    const [script = '', name] = each.split(' -- ');
    const known = measures[script];
    return !Object.hasOwn(scripts, script) || (known && name && !Object.hasOwn(known, name));
  });
}

/** As GitHub makes them. */
function anchors(path: string): readonly string[] {
  return matches(read(path), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

function isDeadLink(target: string, from: string): boolean {
  const [path = '', anchor] = decodeURI(target).split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(root, file))) return true;
  const page = file.endsWith('.md') ? file : join(file, 'README.md');
  return anchor !== undefined && !anchors(page).includes(anchor);
}

describe.each(documents)('%s', (path) => {
  const text = read(path);

  test('names scripts that there are', () => {
    expect(unknownScripts(text)).toEqual([]);
  });

  test('links to what there is', () => {
    const targets = [...matches(text, /\]\(([^)\s]+)\)/g), ...matches(text, /<img src="([^"]+)"/g)];
    const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(inside.filter((target) => isDeadLink(target, path))).toEqual([]);
  });

  test('names paths that there are', () => {
    const paths = matches(
      text,
      /(?<![\w./…-]|exec )((?:src|test|commands|deploy|\.github|\.ci)\/[\w./-]*[\w/])/g,
    );
    const missing = paths.filter((each) => ['', '.ts'].every((end) => !existsSync(join(root, each + end))));
    expect(missing).toEqual([]);
  });

  test('names existing files, of its module, its source or the folder of the line', () => {
    const folder = dirname(path);
    const isThere = (name: string, line: string): boolean => {
      const bases = [
        '',
        'src',
        folder,
        folder.replace(/^test\//, 'src/'),
        ...matches(line, /`((?:src|commands|test)\/[\w/-]*)`/g),
      ];
      if (bases.some((base) => existsSync(join(root, base, name)))) return true;
      // Folders of a subject are named by what they hold.
      if (find(`${folder}/**/${name}`).length > 0) return true;
      return name.endsWith('.test.ts') && find(`test/**/${name}`).length > 0;
    };
    const missing = text
      .split('\n')
      .flatMap((line) => matches(line, /`([\w./-]+(?:\.ts|\/))`/g).filter((name) => !isThere(name, line)));
    expect(missing.filter((name) => !ignored.includes(name))).toEqual([]);
  });
});

test('the README fits on a page', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThan(9216);
  expect(matches(read('README.md'), /!\[[^\]]*\]\(([^)]+)\)/g)).toHaveLength(2);
});

test.each(['README.md', 'deploy/first-run.md'])('%s asks for setup, doctor, start in this order', (path) => {
  expect(matches(read(path), /npm (?:run )?(setup|doctor|start)\b/g)).toEqual(['setup', 'doctor', 'start']);
});

test('CONTRIBUTING has at most 11 KB', () => {
  expect(Buffer.byteLength(read('.github/CONTRIBUTING.md'))).toBeLessThanOrEqual(11 * 1024);
});

test('the README of a module has at most 40 lines', () => {
  const long = find('src/**/README.md').filter((path) => read(path).trimEnd().split('\n').length > 40);
  expect(long).toEqual([]);
});

test('no cell of a table has more than 60 words', () => {
  const long = documents.flatMap((path) =>
    matches(read(path), /^\|(.+)\|$/gm)
      .flatMap((row) => row.split('|'))
      .filter((cell) => cell.trim().split(/\s+/).length > 60)
      .map((cell) => `${path}: ${cell.trim().slice(0, 60)}`),
  );
  expect(long).toEqual([]);
});

test('CONTRIBUTING describes each script', () => {
  const contributing = read('.github/CONTRIBUTING.md');
  const described = [
    ...matches(contributing, /npm run ([a-z:]+)/g),
    ...matches(contributing, /npm (start|test)/g),
  ];
  expect(Object.keys(scripts).filter((script) => !described.includes(script))).toEqual([]);
});

test('comments, texts and files for machines name scripts that there are', () => {
  const wrong = others
    .filter((path) => path !== 'test/docs.test.ts')
    .map((path) => [path, unknownScripts(read(path))] as const)
    .filter(([, unknown]) => unknown.length > 0);
  expect(wrong).toEqual([]);
});

test('bench, sim and soak run files that there are', () => {
  const programs = Object.values(measures).flatMap((group) =>
    Object.values(group).flatMap((each) => each.programs),
  );
  const files = programs.flat().filter((argument) => /^(?:src|test|node_modules)\//.test(argument));
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('each test in the order, and each file that is changed line by line, is there', () => {
  const { mutate } = JSON.parse(read('test/mutate/stryker.json'));
  const named = [...LONG_TESTS, ...LONGEST.map((path) => path.slice(1)), ...mutate];
  expect(named.length).toBeGreaterThan(100);
  // The lists may name files of a feature that was taken out.
  const isRemoved = (pattern: string): boolean => {
    const [folder = '.'] = /^(?:test\/)?commands\/\w+(?=\/)/.exec(pattern) ?? [];
    return !existsSync(join(root, folder));
  };
  expect(named.filter((pattern) => !isRemoved(pattern) && find(pattern).length === 0)).toEqual([]);
});

test('the README of the commands names each command', () => {
  const files = find('commands/*/*.ts').filter((file) => !file.endsWith('/feature.ts'));
  const names = files.map((file) => basename(file, '.ts')).toSorted();
  expect(matches(read('commands/README.md'), /\/(?<=`\/)([a-z-]+)/g).toSorted()).toEqual(names);
});

test('all settings are described, and .env.example sets the required ones alone', () => {
  const all = Object.keys(HELP).toSorted();
  expect(matches(read('deploy/README.md'), /^\| `([A-Z_]+)` \|/gm).toSorted()).toEqual(all);
  const example = read('.env.example');
  expect(matches(example, /^(?:# )?([A-Z_]+)=/gm).toSorted()).toEqual(all);
  const required = matches(read('README.md'), /^\| `([A-Z_]+)` \|/gm);
  expect(matches(example, /^([A-Z_]+)=/gm)).toEqual(required);
});

test('the documents of boards state how often the times of boards are renewed', () => {
  const { manyBoards, manyMs } = TIMES_REFRESH;
  const expected = [`${manyBoards} boards on every ${manyMs / MINUTE} minutes`];
  for (const path of ['test/messages/boards/README.md', '.github/board.md'])
    expect(matches(read(path), /once a minute, from (\d+ boards on every \d+ minutes)/g), path).toEqual(
      expected,
    );
});

test('the cases of boards state the rule for edits', () => {
  const rows = matches(read('test/messages/boards/README.md'), /^\| ([^|]+ \| [^|]+) \| [^|]+ \|$/gm);
  const told = (start: string) => rows.find((row) => row.startsWith(start))?.split(' | ')[1];
  const seconds = (ms: number): string => `${ms / 1000}`;
  const { windowMs, maxWindowMs, gapMs, aheadMs } = EDIT_RULE;
  expect(told('something new |')).toContain(
    `at most two in ${seconds(windowMs)} s, the second ${seconds(gapMs)} s after the first, or every ${seconds(BUSY_GAP_MS)} s while`,
  );
  expect(told('429 or 30046 |')).toContain(`up to ${seconds(maxWindowMs)} s`);
  expect(told('a board that a person')).toContain(`for ${seconds(aheadMs)} seconds`);
});

test("the board's cases name tests that there are", () => {
  const cells = matches(read('test/messages/boards/README.md'), /^\| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm).slice(
    1,
  );
  const names = cells.flatMap((cell) => cell.split(', ')).map((name) => name.replace(/^`|`$| \d+$/g, ''));
  expect(names.length).toBeGreaterThan(10);
  const file = (name: string): string =>
    `test/${name.includes('/') ? name : `messages/boards/${name}`}.test.ts`;
  expect(names.filter((name) => !existsSync(join(root, file(name))))).toEqual([]);
});

test('the README of the store names each collection with the module that owns it', () => {
  const owned = find('{src,commands}/**/*.ts').flatMap((path) => {
    // Models and jobs lie one deeper in their subject.
    const [module = dirname(path)] = /^commands\/\w+/.exec(path) ?? [];
    const names = matches(read(path), /= declareCollection\(\{\s*name: '([^']+)'/g);
    return names.map((name) => `${name} ${module}/`);
  });
  const rows = read('src/store/README.md').matchAll(
    /^\| (?<names>`[^|]+`) \| `(?<module>(?:src|commands)\/[^`]+)` \|$/gm,
  );
  const listed = [...rows].flatMap(({ groups }) =>
    matches(groups?.['names'] ?? '', /`([\w-]+)`/g).map((name) => `${name} ${groups?.['module']}`),
  );
  expect(owned.length).toBeGreaterThan(5);
  expect(listed.toSorted()).toEqual(owned.toSorted());
});
