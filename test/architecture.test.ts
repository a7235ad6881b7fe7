import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { expect, test } from 'vitest';

/** Modules by layer, the lowest first: a module imports only from modules on layers below its own. */
const layers: readonly (readonly string[])[] = [
  ['src/base'],
  ['src/text', 'src/i18n'],
  ['src/service', 'src/store', 'src/pictures'],
  ['src/community', 'src/sandbox'],
  ['src/cards'],
  ['src/messages'],
  ['src/command-kit'],
  ['src/discord'],
  ['src/features'],
  ['commands'],
  ['src/bot', 'src/tools'],
  ['src/main.ts'],
];

/** Layers of the sandbox's chat server. */
const sandboxLayers: readonly (readonly string[])[] = [
  ['src/sandbox/chat/snowflake.ts', 'src/sandbox/chat/api-error.ts'],
  ['src/sandbox/chat/judge', 'src/sandbox/chat/guild'],
  ['src/sandbox/chat/state'],
  ['src/sandbox/chat/gateway', 'src/sandbox/chat/rest', 'src/sandbox/chat/visitor'],
  ['src/sandbox/chat/routes'],
];

/** All that a card may know: it is pure. A card of a subject also knows the subject's other cards and its models. */
const knownToCards = [
  'src/base',
  'src/text',
  'src/i18n',
  'src/service/models',
  'src/service/budget/budget-snapshot.ts',
  'src/community/history/history.ts',
  'src/community/accounts/own-data.ts',
  'src/pictures/chart.ts',
  'src/cards',
  'src/command-kit/diagnosis.ts',
  'src/command-kit/topics.ts',
];

const knownToCommands = [
  'src/command-kit',
  'src/cards',
  'src/service/endpoints.ts',
  'src/service/models',
  'src/community/history/history.ts',
  'src/community/accounts/own-data.ts',
  'src/text/names.ts',
  'src/base/errors.ts',
  'src/base/duration.ts',
];

/** Files that may import only these and their own subject: a card is pure, a command asks its context. */
const knowsOnly: readonly { readonly files: RegExp; readonly known: readonly string[] }[] = [
  { files: /^src\/cards\//, known: knownToCards },
  { files: /^commands\/[\w-]+\/cards\//, known: knownToCards },
  { files: /^commands\/(?!people\/privacy\.ts$)[\w-]+\/(?!feature\.ts$)[^/]+$/, known: knownToCommands },
  // It shows the choices of features.
  {
    files: /^commands\/people\/privacy\.ts$/,
    known: [...knownToCommands, 'commands/subjects.ts', 'src/features/feature.ts'],
  },
  { files: /^src\/sandbox\//, known: ['src/sandbox', 'src/service/models', 'src/base/languages.ts'] },
];

/** Packages, and the places that may import them, so that there is one way to use each. */
const soleOwners: Record<string, readonly string[]> = {
  undici: ['src/service/transport', 'src/discord/rest/make-request.ts', 'src/discord/gateway/gateway.ts'],
  bottleneck: ['src/service/budget', 'src/discord/send/messenger.ts'],
  keyv: ['src/service/cache', 'src/store', 'src/command-kit/names'],
  pg: ['src/store/postgres'],
  pino: ['src/base/log.ts'],
  '@napi-rs/canvas': ['src/pictures/sheet.ts'],
  'string-width': ['src/cards/kit/block.ts'],
  'prom-client': ['src/bot/operator'],
  rolldown: ['src/tools/build.ts', 'src/sandbox/page/assets.ts'],
};

/** What is imported by its name, or a file as a whole; and what a file declares for others. */
const NAMED = /^(?:import|export)\s(?:type\s)?({[^}]*})\sfrom\s'(\.[^']+)'/gm;
const WHOLE = /(?:import\(|\*\s(?:as\s\w+\s)?from\s)'(\.[^']+)'/g;
const AUGMENTED = /^declare module '(\.[^']+)' {\s+interface (\w+)/gm;
const DECLARED = /^export (?:async )?(interface|type|const|function|class) (\w+)/gm;

interface Import {
  readonly from: string;
  readonly to: string;
}

const root = new URL('..', import.meta.url).pathname;
const sources = globSync(['src/**/*.ts', 'commands/**/*.ts'], { cwd: root }).toSorted();

const imports: Import[] = sources.flatMap((file) => {
  const text = readFileSync(root + file, 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gms);
  return [...statements].flatMap(([, target]) => {
    if (target === undefined || target.startsWith('node:')) return [];
    const to = target.startsWith('.') ? posix.join(dirname(file), target) : target;
    return [{ from: file, to }];
  });
});
const internalImports = imports.filter(({ to }) => /^(?:src|commands)\//.test(to));

function isIn(path: string, module: string): boolean {
  return path === module || path.startsWith(`${module}/`);
}

/** Returns the module and its layer, or null if the path belongs to no module. */
function place(path: string, modules = layers): { readonly module: string; readonly layer: number } | null {
  const layer = modules.findIndex((names) => names.some((name) => isIn(path, name)));
  const module = modules[layer]?.find((name) => isIn(path, name));
  return module === undefined ? null : { module, layer };
}

function isUpward({ from, to }: Import, modules = layers): boolean {
  const [importer, target] = [place(from, modules), place(to, modules)];
  if (importer === null || target === null) return false;
  return importer.module !== target.module && target.layer >= importer.layer;
}

const named = ({ from, to }: Import): string => `${from} → ${to}`;

test('every file belongs to a module', () => {
  expect(sources.filter((file) => place(file) === null)).toEqual([]);
});

test('a module imports only from layers below its own', () => {
  const upward = internalImports.filter((arrow) => isUpward(arrow) || isUpward(arrow, sandboxLayers));
  expect(upward.map(named)).toEqual([]);
});

test.each(knowsOnly)('files like $files know only what they need', ({ files, known }) => {
  const trespasses = internalImports
    .filter(({ from }) => files.test(from))
    .filter(({ from, to }) => ![...known, subjectOf(from)].some((name) => name !== null && isIn(to, name)));
  expect(trespasses.map(named), `allowed: ${known.join(', ')}, and the subject's own`).toEqual([]);
});

/** The folder of the subject in which a file lies; null outside of all. */
function subjectOf(path: string): string | null {
  return /^commands\/[\w-]+(?=\/)/.exec(path)?.[0] ?? null;
}

test('a subject imports no other subject: what two of them need is core', () => {
  const crossing = internalImports.filter(({ from, to }) => {
    const [own, other] = [subjectOf(from), subjectOf(to)];
    return own !== null && other !== null && own !== other;
  });
  expect(crossing.map(named)).toEqual([]);
});

test('beside the commands of a subject lie its door and its README, nothing else', () => {
  const commands = globSync('commands/*/*', { cwd: root, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(commands.filter(({ name }) => !/^(?:[a-z-]+\.ts|README\.md)$/.test(name))).toEqual([]);
});

/** The file of a feature's folder that others may import. */
const DOOR = 'feature.ts';
const features = globSync(`commands/*/${DOOR}`, { cwd: root }).map((door) => dirname(door));

test('a feature is imported through its door', () => {
  const trespasses = internalImports.filter(({ from, to }) =>
    features.some((feature) => isIn(to, feature) && !isIn(from, feature) && to !== `${feature}/${DOOR}`),
  );
  expect(features.length).toBeGreaterThan(1);
  expect(trespasses.map(named)).toEqual([]);
});

test('the bot never imports the sandbox', () => {
  const users = internalImports.filter(
    ({ from, to }) => isIn(to, 'src/sandbox') && !isIn(from, 'src/sandbox'),
  );
  expect(users.map(({ from }) => from).filter((from) => !isIn(from, 'src/tools'))).toEqual([]);
});

test('a package with one owner is imported only by its owner', () => {
  const trespasses = imports.filter(
    ({ from, to }) => soleOwners[to] !== undefined && !soleOwners[to].some((owner) => isIn(from, owner)),
  );
  expect(trespasses).toEqual([]);
});

test('loads health and metrics only if they are served, as they cost memory', () => {
  const loaded = sources
    .filter((file) => !isIn(file, 'src/bot/operator'))
    .filter((file) =>
      /^(?:import|export) (?!type )[^;]*\/operator\//m.test(readFileSync(root + file, 'utf8')),
    );
  expect(loaded).toEqual([]);
});

test('nothing but health and metrics, and the sandbox, listens for HTTP', () => {
  const servers = sources.filter((file) => /from 'node:https?'/.test(readFileSync(root + file, 'utf8')));
  expect(servers.filter((file) => !isIn(file, 'src/sandbox'))).toEqual(['src/bot/operator/server.ts']);
});

test('nothing but the composition root and the demo reads the environment', () => {
  const readers = sources.filter((file) => readFileSync(root + file, 'utf8').includes('process.env'));
  expect(readers.toSorted()).toEqual(['src/base/environment.ts', 'src/main.ts', 'src/tools/demo.ts']);
});

test('another file of the product imports each export, or at least a test a value', () => {
  const importing = [...sources, ...globSync('test/**/*.ts', { cwd: root })];
  const users = importing.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8');
    const named = [...text.matchAll(NAMED)].flatMap(([, names = '', target = '']) =>
      [...names.matchAll(/(?:^|[{,])\s*(?:type )?(\w+)/g)].map(([, name]) => ({ file, target, name })),
    );
    const augmented = [...text.matchAll(AUGMENTED)].map(([, target = '', name = '']) => ({
      file,
      target,
      name,
    }));
    return [
      ...named,
      ...augmented,
      ...[...text.matchAll(WHOLE)].map(([, target = '']) => ({ file, target, name: 'all' })),
    ];
  });
  const usersOf = Map.groupBy(
    users,
    ({ file, target, name }) => `${posix.join(dirname(file), target)} ${name}`,
  );
  const unused = sources.flatMap((file) =>
    [...readFileSync(root + file, 'utf8').matchAll(DECLARED)].flatMap(([, kind, name]) => {
      const isType = kind === 'interface' || kind === 'type';
      const theirs = [...(usersOf.get(`${file} ${name}`) ?? []), ...(usersOf.get(`${file} all`) ?? [])];
      return theirs.some((user) => !isType || !isIn(user.file, 'test')) ? [] : [`${file}: ${name}`];
    }),
  );
  // Loaded by the name of a language.
  expect(unused.filter((each) => !/^(?:src\/i18n\/locales|commands\/\w+\/texts)\//.test(each))).toEqual([]);
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
