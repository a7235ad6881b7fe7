import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom: for each room, all that its files may name. Rooms are folders or single files. */
const mayImport: Record<string, readonly string[]> = {
  'src/text': [],
  'src/errors': ['src/service/rate-report'],
  'src/config': ['zod'],
  'src/log': ['src/errors', 'pino'],
  'src/custom-id': [],
  'src/json': ['zod'],
  'src/within': [],
  'src/words': ['src/errors', 'i18next'],
  'src/service': ['src/errors', 'src/json', 'src/within', 'zod', 'undici', 'bottleneck', 'keyv'],
  'src/store': [
    'src/json',
    'src/errors',
    'src/service/endpoints',
    'src/service/question-lock',
    'src/words/languages',
    'keyv',
    '@redis/client',
    'zod',
  ],
  'src/stores': ['src/config', 'src/log', 'src/service/budget', 'src/service/question-lock', 'src/store'],
  'src/health': ['src/errors', 'src/service'],
  'src/command': [
    'src/board/boards',
    'src/health',
    'src/service',
    'src/store',
    'src/words',
    'zod',
    'discord-api-types',
  ],
  'src/options': ['src/command', 'src/cards', 'src/service/models', 'src/store', 'src/words'],
  'src/reader': ['src/within', 'src/command', 'src/service', 'src/store', 'src/words'],
  'src/subject': ['src/command', 'src/errors'],
  'src/cards': [
    'src/text',
    'src/words',
    'src/service/models',
    'src/service/client',
    'src/custom-id',
    'src/store/personal-data',
    'src/health',
    'src/service/budget/ledger',
    'discord-api-types',
  ],
  commands: [
    'src/command',
    'src/subject',
    'src/options',
    'src/errors',
    'src/cards',
    'src/service/endpoints',
    'src/service/models',
    'src/custom-id',
    'zod',
  ],
  'src/discord': [
    'src/within',
    'src/board/chat',
    'src/command',
    'src/reader',
    'src/config',
    'src/errors',
    'src/log',
    'src/words',
    'src/custom-id',
    'src/store',
    'zod',
    'discord.js',
    'discord-api-types',
  ],
  'src/board': [
    'src/cards',
    'src/custom-id',
    'src/errors',
    'src/service/client',
    'src/service/endpoints',
    'src/service/models',
    'src/store/board-records',
    'src/words',
  ],
  'src/watch': [
    'src/cards',
    'src/errors',
    'src/service/client',
    'src/service/endpoints',
    'src/service/models',
    'src/store/subscriptions',
    'src/words',
  ],
  'src/main': ['*'],
  'src/sandbox': ['src/service/models', 'ws', 'zod', 'discord-api-types', 'discord-markdown-parser'],
};

/** Packages that one place alone may touch, so that there is one way to use each. */
const soleOwners: Record<string, readonly string[]> = {
  undici: ['src/service/transport'],
  bottleneck: ['src/service/budget'],
  keyv: ['src/service/shelf', 'src/store'],
  '@redis/client': ['src/store/shared'],
  i18next: ['src/words/words'],
  pino: ['src/log'],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

const root = new URL('..', import.meta.url).pathname;

const imports: Import[] = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }).flatMap((file) => {
  const text = readFileSync(root + file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gms);
  return [...statements].flatMap(([, target]) => {
    if (target === undefined || target.startsWith('node:')) return [];
    const to = target.startsWith('.') ? posix.join(dirname(file), target) : target;
    return [{ from: file, to }];
  });
});

function isIn(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`) || path.startsWith(`${room}.`);
}

function roomOf(file: string): string {
  const room = Object.keys(mayImport).find((name) => isIn(file, name));
  if (room === undefined) throw new Error(`${file} is in no room; give it one in this table`);
  return room;
}

test('every import stays within what its room may know', () => {
  const trespasses = imports.filter(({ from, to }) => {
    const room = roomOf(from);
    const allowed = mayImport[room] ?? [];
    return !(allowed.includes('*') || isIn(to, room) || allowed.some((name) => isIn(to, name)));
  });
  expect(trespasses).toEqual([]);
});

test('a package with one owner is imported by its owner alone', () => {
  const trespasses = imports.filter(
    ({ from, to }) => soleOwners[to] !== undefined && !soleOwners[to].some((owner) => isIn(from, owner)),
  );
  expect(trespasses).toEqual([]);
});

test('nothing but the composition root and the demo reads the environment', () => {
  const readers = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }).filter((file) =>
    readFileSync(root + file, 'utf8').includes('process.env'),
  );
  expect(readers.toSorted()).toEqual(['src/main.ts', 'src/sandbox/demo.ts']);
});

test('no folder imports itself in a circle', () => {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (path.includes(file) || done.has(file)) return;
    for (const { to } of graph.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  expect(circles).toEqual([]);
});
