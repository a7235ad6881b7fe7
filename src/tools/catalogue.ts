/**
 * `npx node src/tools/catalogue.ts it`: the texts of a language beside the English ones, for a native reader to check.
 * Without a language: how many texts each has, and the keys of those that it lacks.
 */

import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../base/languages.ts';
import { missingFrom, sideBySide } from '../i18n/side-by-side.ts';

process.exitCode = print(process.argv[2] ?? '');

function print(argument: string): number {
  const catalogues = createAllCatalogues();
  const translated = languages.filter((language) => !language.startsWith('en'));
  const english = catalogues('en').texts;
  if (argument === '') {
    const count = missingFrom({}, english).length;
    for (const language of translated) {
      const missingKeys = missingFrom(catalogues(language).texts, english);
      const lacks = missingKeys.length === 0 ? '' : `; lacks ${missingKeys.join(', ')}`;
      process.stdout.write(`${language}: ${count - missingKeys.length} of ${count} texts${lacks}\n`);
    }
    return 0;
  }
  const language =
    translated.find((code) => code === argument) ??
    translated.find((each) => each.startsWith(`${argument}-`));
  if (language === undefined) {
    process.stderr.write(`Name a language: npx node src/tools/catalogue.ts ${translated.join(' | ')}\n`);
    return 1;
  }
  const heading = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  process.stdout.write(sideBySide(english, catalogues(language).texts, heading));
  return 0;
}
