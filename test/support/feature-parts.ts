import { existsSync } from 'node:fs';
import { features } from '../../commands/subjects.ts';

/**
 * Returns what each feature brings to shared tests: that export of the file beside its tests, by the name of the feature.
 * The file imports no value of the module that asks for it, which waits for it.
 */
export async function featureParts<Part>(
  file: string,
  name: string,
): Promise<Readonly<Record<string, Part>>> {
  const parts = Object.keys(features).map(async (feature): Promise<readonly [string, Part][]> => {
    const path = `../commands/${feature}/${file}.ts`;
    return existsSync(new URL(path, import.meta.url)) ? [[feature, (await import(path))[name]]] : [];
  });
  return Object.fromEntries((await Promise.all(parts)).flat());
}
