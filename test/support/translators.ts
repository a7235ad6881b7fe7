/** Translators with the texts of every feature, as the bot has them. */
import { createAllCatalogues } from '../../commands/subjects.ts';
import * as translator from '../../src/i18n/translator.ts';

export function createTranslators(catalogues = createAllCatalogues()) {
  return translator.createTranslators(catalogues);
}
