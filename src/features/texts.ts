import { type Catalogues, createCatalogues, type TextsOfFeature } from '../i18n/catalogues.ts';
import { features } from './index.ts';

/** Creates the catalogues with the texts of all features. The bundle has both folders elsewhere. */
export function createAllCatalogues(
  featureFolder = new URL('./', import.meta.url),
  coreFolder?: URL,
): Catalogues {
  const texts = Object.entries(features).map(
    ([name, { texts: english }]): TextsOfFeature => ({
      english,
      folder: new URL(`./${name}/texts/`, featureFolder),
    }),
  );
  return createCatalogues(texts, coreFolder);
}
