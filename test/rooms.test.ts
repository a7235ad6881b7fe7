import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';

/** Who may import whom: for each room, all that its files may name. Rooms are folders or single files. */
const mayImport: Record<string, readonly string[]> = {
  'src/text': [],
  'src/clock': [],
  'src/errors': [],
  'src/outage': [],
  'src/config': ['zod'],
  'src/environment': [],
  'src/log': ['src/errors', 'pino'],
  'src/i18n': ['src/errors'],
  'src/service': ['src/errors', 'src/clock', 'zod', 'undici', 'bottleneck', 'keyv'],
  'src/store': [
    'src/clock',
    'src/config',
    'src/errors',
    'src/log',
    'src/outage',
    'src/service/budget/ledger',
    'src/service/deduplicate/flight-lock',
    'src/service/endpoints',
    'src/service/models',
    'src/service/json',
    'src/i18n/languages',
    'src/text/plain',
    'keyv',
    '@redis/client',
    'zod',
  ],
  'src/shards': [
    'src/clock',
    'src/errors',
    'src/outage',
    'src/service/json',
    'src/store/board-records',
    'src/store/patiently',
    'src/store/shared-document',
    'zod',
  ],
  'src/cards': [
    'src/text',
    'src/i18n',
    'src/service/models',
    'src/history/history',
    'src/errors',
    'src/pictures/chart',
    'discord-api-types',
  ],
  'src/pictures': ['src/clock', 'src/log', '@napi-rs/canvas', 'zod'],
  'src/history': [
    'src/clock',
    'src/errors',
    'src/outage',
    'src/service/json',
    'src/service/models',
    'src/store/history-chunks',
    'src/store/links',
    'zod',
  ],
  'src/board': [
    'src/clock',
    'src/cards',
    'src/errors',
    'src/service/client',
    'src/service/endpoints',
    'src/service/models',
    'src/shards/keeping',
    'src/store/board-records',
    'src/i18n',
  ],
  'src/notify': [
    'src/cards',
    'src/clock',
    'src/history/history',
    'src/errors',
    'src/service/json',
    'src/service/client',
    'src/service/endpoints',
    'src/service/models',
    'src/store/subscriptions',
    'src/store/watches',
    'src/i18n',
    'zod',
  ],
  'src/app': [
    'src/clock',
    'src/board/boards',
    'src/notify/watch/requests',
    'src/cards',
    'src/errors',
    'src/history/history',
    'src/pictures/chart',
    'src/service',
    'src/store',
    'src/i18n',
    'zod',
    'discord-api-types',
  ],
  commands: [
    'src/app',
    'src/errors',
    'src/cards',
    'src/history/history',
    'src/service/endpoints',
    'src/service/models',
    'zod',
  ],
  'src/discord': [
    'src/app',
    'src/board/channel',
    'src/notify/watch/deliver',
    'src/cards/kit/custom-id',
    'src/cards/kit/jump-id',
    'src/clock',
    'src/config',
    'src/errors',
    'src/log',
    'src/i18n',
    'src/shards/shard',
    'src/pictures/chart',
    'src/store',
    'zod',
    'discord.js',
    'discord-api-types',
    'undici',
  ],
  'src/operator': [
    'src/board/count-writes',
    'src/board/runner',
    'src/clock',
    'src/config',
    'src/errors',
    'src/service/budget/describe-budget',
    'src/service/call-statistics',
    'prom-client',
  ],
  'src/main': ['*'],
  'src/build': ['rolldown', 'src/bundled-commands', 'src/bundled-countries', 'src/warm-up'],
  'src/bundled-commands': ['src/i18n', 'src/start/commands'],
  'src/bundled-countries': ['src/i18n'],
  'src/warm-up': ['src/sandbox', 'discord-api-types'],
  'src/doctor': [
    'src/board/channel',
    'src/clock',
    'src/config',
    'src/discord',
    'src/environment',
    'src/errors',
    'src/i18n',
    'src/log',
    'src/service/probe',
    'src/store',
  ],
  'src/setup': [
    'src/clock',
    'src/config',
    'src/discord',
    'src/environment',
    'src/service/probe',
    'src/store/probe',
  ],
  'src/store-tool': ['src/config', 'src/environment', 'src/errors'],
  'src/backup': ['src/store-tool', 'src/store/sqlite'],
  'src/restore': ['src/errors', 'src/store-tool', 'src/store/sqlite'],
  'src/catalogue': ['src/i18n'],
  'src/start': ['*'],
  'src/jobs': [
    'src/app/current-files',
    'src/board/poll',
    'src/cards/servers',
    'src/clock',
    'src/errors',
    'src/i18n/translator',
    'src/log',
    'src/service',
    'src/store',
  ],
  // It puts the bot's parts and the sandbox's together; the bot that it starts is the one that everybody runs.
  'src/sandbox/demo': [
    'src/sandbox',
    'src/history/history',
    'src/history/past',
    'src/store/sqlite/copies',
    'src/store/sqlite/history-chunks',
    'src/store/sqlite/prepare-history',
    'zod',
  ],
  'src/sandbox/chat/snowflake': [],
  'src/sandbox/chat/api-error': ['discord-api-types'],
  'src/sandbox/chat/judge': [
    'src/sandbox/chat/api-error',
    'src/sandbox/chat/snowflake',
    'zod',
    'discord-api-types',
  ],
  'src/sandbox/chat/guild': ['src/sandbox/chat/snowflake', 'discord-api-types'],
  'src/sandbox/chat/state': [
    'src/sandbox/chat/api-error',
    'src/sandbox/chat/guild',
    'src/sandbox/chat/judge',
    'discord-api-types',
  ],
  'src/sandbox/chat/gateway': [
    'src/sandbox/chat/guild',
    'src/sandbox/chat/state',
    'ws',
    'zod',
    'discord-api-types',
  ],
  'src/sandbox/chat/rest': ['src/sandbox/chat/api-error', 'src/sandbox/chat/state', 'zod'],
  'src/sandbox/chat/routes': [
    'src/sandbox/chat/api-error',
    'src/sandbox/chat/snowflake',
    'src/sandbox/chat/guild',
    'src/sandbox/chat/judge',
    'src/sandbox/chat/rest',
    'src/sandbox/chat/state',
    'zod',
    'discord-api-types',
  ],
  'src/sandbox/chat/visitor': [
    'src/sandbox/chat/guild',
    'src/sandbox/chat/judge',
    'src/sandbox/chat/state',
    'discord-api-types',
  ],
  'src/sandbox/chat': ['discord-api-types'],
  'src/sandbox/service': ['src/service/models', 'zod'],
  'src/sandbox/page/assets': ['rolldown'],
  'src/sandbox': ['src/i18n/translation', 'ws', 'zod', 'discord-api-types', 'discord-markdown-parser'],
};

/** Packages that only one place may import, so that there is one way to use each. */
const soleOwners: Record<string, readonly string[]> = {
  undici: ['src/service/transport', 'src/discord/make-request'],
  bottleneck: ['src/service/budget'],
  keyv: ['src/service/cache', 'src/store'],
  '@redis/client': ['src/store/redis'],
  pino: ['src/log'],
  '@napi-rs/canvas': ['src/pictures/sheet'],
  'prom-client': ['src/operator'],
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

test('a package with one owner is imported only by its owner', () => {
  const trespasses = imports.filter(
    ({ from, to }) => soleOwners[to] !== undefined && !soleOwners[to].some((owner) => isIn(from, owner)),
  );
  expect(trespasses).toEqual([]);
});

test('health and metrics are loaded only where they are served, since they cost time and memory', () => {
  const loaded = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root })
    .filter((file) => !isIn(file, 'src/operator'))
    .filter((file) =>
      /^(?:import|export) (?!type )[^;]*\/operator\//m.test(readFileSync(root + file, 'utf8')),
    );
  expect(loaded).toEqual([]);
});

test('nothing but health and metrics, and the sandbox, listens for HTTP', () => {
  const servers = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }).filter((file) =>
    /from 'node:https?'/.test(readFileSync(root + file, 'utf8')),
  );
  expect(servers.filter((file) => !isIn(file, 'src/sandbox'))).toEqual(['src/operator/server.ts']);
});

test('nothing but the composition root and the demo reads the environment', () => {
  const readers = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }).filter((file) =>
    readFileSync(root + file, 'utf8').includes('process.env'),
  );
  expect(readers.toSorted()).toEqual(['src/environment.ts', 'src/main.ts', 'src/sandbox/demo.ts']);
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
