/**
 * `npx node src/tools/catalogue.ts it`: the texts of a language beside the English ones, for a native reader to check.
 * With `--missing` instead: the texts that each language lacks.
 */

import { languages } from '../base/languages.ts';
import { createAllCatalogues } from '../features/texts.ts';
import { missingFrom, sideBySide } from '../i18n/side-by-side.ts';

process.exitCode = print(process.argv[2] ?? '');

function print(argument: string): number {
  const catalogues = createAllCatalogues();
  const translated = languages.filter((language) => !language.startsWith('en'));
  if (argument === '--missing') {
    for (const language of translated) {
      const missingTexts = missingFrom(catalogues(language).texts, catalogues('en').texts);
      process.stdout.write(`${language}: ${missingTexts.join(', ') || 'nothing'}\n`);
    }
    return 0;
  }
  const language =
    translated.find((code) => code === argument) ??
    translated.find((each) => each.startsWith(`${argument}-`));
  if (argument === '' || language === undefined) {
    process.stderr.write(
      `Name a language: npx node src/tools/catalogue.ts ${translated.join(' | ')} | --missing\n`,
    );
    return 1;
  }
  const heading = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  process.stdout.write(sideBySide(catalogues('en').texts, catalogues(language).texts, heading));
  return 0;
}
