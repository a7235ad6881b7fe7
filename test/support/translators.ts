/** Translators and catalogues with the texts of every feature, as the bot has them. */
import { featureTexts } from '../../src/features/texts.ts';
import * as i18n from '../../src/i18n/catalogues.ts';
import * as translator from '../../src/i18n/translator.ts';

export function createCatalogues(): i18n.Catalogues {
  return i18n.createCatalogues(featureTexts());
}

export function createTranslators(catalogues = createCatalogues()) {
  return translator.createTranslators(catalogues);
}
