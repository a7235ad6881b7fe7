import { type Catalogues, createCatalogues, type TextsOfFeature } from '../i18n/catalogues.ts';
import { features } from './index.ts';

/** Creates the catalogues with the texts of all features. `sources`: the folder of all modules; the bundle has its own. */
export function createAllCatalogues(sources = new URL('../', import.meta.url)): Catalogues {
  const texts = Object.entries(features).map(
    ([name, { texts: english }]): TextsOfFeature => ({
      english,
      folder: new URL(`./features/${name}/texts/`, sources),
    }),
  );
  return createCatalogues(texts, new URL('./i18n/locales/', sources));
}
