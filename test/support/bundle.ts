import { readFileSync } from 'node:fs';

const dist = new URL('../../dist/', import.meta.url);

/** The folder of the build that `dist/main.js` runs. */
export function currentBuild(): URL {
  const [, path = ''] = /'\.\/(\w+\/)main\.js'/.exec(readFileSync(new URL('main.js', dist), 'utf8')) ?? [];
  return new URL(path, dist);
}
