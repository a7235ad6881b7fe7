/** `npx node src/tools/catalogue.ts it`: the texts of a language beside the English ones, for a native reader to check. */

import { languages } from '../base/languages.ts';
import { createCatalogues } from '../i18n/catalogues.ts';
import { sideBySide } from '../i18n/side-by-side.ts';

process.exitCode = print(process.argv[2] ?? '');

function print(asked: string): number {
  const translated = languages.filter((language) => !language.startsWith('en'));
  const language =
    translated.find((each) => each === asked) ?? translated.find((each) => each.startsWith(`${asked}-`));
  if (asked === '' || language === undefined) {
    process.stderr.write(`Name a language: npx node src/tools/catalogue.ts ${translated.join(' | ')}\n`);
    return 1;
  }
  const catalogues = createCatalogues();
  const heading = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  process.stdout.write(sideBySide(catalogues('en').texts, catalogues(language).texts, heading));
  return 0;
}
