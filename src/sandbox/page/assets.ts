import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

interface Asset {
  readonly type: string;
  readonly body: string;
}

/** The page's files by the path of their address. */
export type Assets = ReadonlyMap<string, Asset>;

const client = fileURLToPath(new URL('client', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * All of the client, so that no requested path reaches the disk. Its script is one file: loaded as fifty, they take a
 * browser half as much time again.
 */
export async function readAssets(): Promise<Assets> {
  const drawn = globSync('*.{html,css,svg}', { cwd: client }).map((name): [string, Asset] => [
    name === 'index.html' ? '/' : `/${name}`,
    { type: types[extname(name)] ?? 'text/plain', body: readFileSync(join(client, name), 'utf8') },
  ]);
  return new Map([...drawn, ...(await bundleScripts())]);
}

async function bundleScripts(): Promise<readonly [string, Asset][]> {
  await using bundle = await rolldown({ cwd: client, input: 'main.ts', platform: 'browser' });
  const { output } = await bundle.generate();
  return output.flatMap((file): [string, Asset][] =>
    file.type === 'chunk'
      ? [[`/${file.fileName}`, { type: 'text/javascript; charset=utf-8', body: file.code }]]
      : [],
  );
}
