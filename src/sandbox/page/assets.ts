import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly body: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript; charset=utf-8',
};

/**
 * The client's files by path. They are listed at startup, so that no requested path reaches the disk. TypeScript is
 * served with its types stripped.
 */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const extension = extname(name);
    const type = types[extension];
    if (type === undefined) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const body = extension === '.ts' ? stripTypeScriptTypes(text) : text;
    assets.set(name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`, { type, body });
  }
  return assets;
}
