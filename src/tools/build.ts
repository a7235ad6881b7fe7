/**
 * `npm run build`: bundles the bot into a few plain JavaScript files in `dist/`, which start in half the time of
 * the sources. Does nothing where that has been done with the same sources. Where the bundler is not installed
 * (`npm ci --omit=dev`), `dist/main.js` runs the sources instead. A bot may run from `dist/` meanwhile.
 */
import { cpSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Rolldown from 'rolldown';
import { codeOf } from '../base/errors.ts';
import { addBuild, entryOf, hashOfSources, isCurrent, publishBuild } from './build/dist-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
/** Tools of which an image has no sources: `node dist/main.js doctor`. */
const TOOLS = ['doctor', 'backup', 'restore'];
const UNBUNDLED = `// Not bundled.\n${runs('../src/main.ts', (tool) => `../src/tools/${tool}.ts`)}`;

// A build is for every user, however careful its builder's own files are: a service runs it as another one.
process.umask(0o022);
const name = hashOfSources(root);
if (!isCurrent(dist, entryOf(name))) await build().catch(refused);

async function build(): Promise<void> {
  const bundler = await import('rolldown').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  });
  if (bundler === null) return publishBuild(dist, UNBUNDLED);
  const isNew = await addBuild(dist, name, (folder) => bundleInto(folder, bundler));
  // In its place, since compiled code is kept by path. Only the speed of the first start depends on it.
  if (isNew)
    await import('./build/warm-up.ts')
      .then(({ warmUp }) => warmUp(join(dist, name, 'main.js')))
      .catch(() => {});
  publishBuild(dist, entryOf(name));
}

/** A program that runs the bot, or the tool that its first word names. */
function runs(bot: string, pathOf: (tool: string) => string): string {
  const paths = Object.fromEntries(TOOLS.map((tool) => [tool, pathOf(tool)]));
  return `const tool = ${JSON.stringify(paths)}[process.argv[2]];
if (tool !== undefined) process.argv.splice(2, 1);
await import(tool ?? '${bot}');
`;
}

/** Message if `dist/` cannot be written. */
function refused(error: unknown): void {
  if (!(error instanceof Error && 'path' in error && `${error.path}`.startsWith(dist))) throw error;
  process.stderr.write(
    `Nothing was built: ${dist} cannot be written (${codeOf(error)}); run npm run build as a user who may write there\n`,
  );
  process.exitCode = 78;
}

async function bundleInto(folder: string, bundler: typeof Rolldown): Promise<void> {
  const { bundledCommands } = await import('./build/bundled-commands.ts');
  // The bundler names modules with this system's own separators.
  const commands = {
    [join(root, 'src', 'discord', 'publish', 'commands.ts')]: await bundledCommands(root, folder),
  };
  await bundle(bundler, folder, { bot: 'src/main.ts' }, commands);
  // Read when somebody reads the language.
  for (const file of globSync(['src/i18n/locales/*.json', 'commands/*/texts/*.json'], { cwd: root }))
    cpSync(join(root, file), join(folder, file));
  // Processes of their own, which share no part: those hold more than they need.
  await bundle(bundler, folder, { painter: 'src/pictures/painter.ts' });
  await bundle(bundler, folder, { 'copy-cleaner': 'src/bot/copy-cleaner.ts' });
  await bundle(
    bundler,
    folder,
    Object.fromEntries(TOOLS.map((tool) => [tool, `src/tools/${tool}.ts`])),
    commands,
  );
  // Compiled code is cached beside the bundle. Enable this before loading the rest.
  writeFileSync(
    join(folder, 'main.js'),
    `import { enableCompileCache } from 'node:module';
enableCompileCache(import.meta.dirname + '/compiled');
${runs('./bot.js', (tool) => `./${tool}.js`)}`,
  );
}

/** `instead`: sources by the files that they replace. */
async function bundle(
  { rolldown }: typeof Rolldown,
  folder: string,
  input: Readonly<Record<string, string>>,
  instead: Readonly<Record<string, string>> = {},
): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input,
    plugins: [{ name: 'instead', load: (file) => instead[file] ?? null }],
    // Optional packages of discord.js, ws and pg; native code.
    external: ['zlib-sync', 'bufferutil', 'utf-8-validate', '@napi-rs/canvas', 'pg-native'],
    // Bottleneck's Redis clustering, unused here, loads its clients with `eval`.
    onLog: (level, log, report) => {
      if (log.code !== 'EVAL') report(level, log);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // One letter beyond ASCII, even in a comment, would double the memory of a whole file.
    charset: 'ascii',
    comments: { legal: false },
    // discord.js chooses its caches by the names of classes.
    minify: {
      compress: { keepNames: { function: false, class: true } },
      // Functions keep their names, for the stacks in the log. Shorter variables start faster: there is less to read.
      mangle: { toplevel: true, keepNames: { function: true, class: true } },
      codegen: true,
    },
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] },
  });
  await bundle.close();
}
