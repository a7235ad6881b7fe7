import type { TextsOfFeature } from '../i18n/catalogues.ts';
import { features } from './index.ts';

/** The texts of all features. `folder`: the folder of the features' folders, which the bundle has elsewhere. */
export function featureTexts(folder = new URL('./', import.meta.url)): readonly TextsOfFeature[] {
  return Object.entries(features).map(([name, { texts }]) => ({
    english: texts,
    folder: new URL(`./${name}/texts/`, folder),
  }));
}
