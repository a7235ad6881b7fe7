import { expect, test } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

test.each(languages)('in %s a convoy is edited with the verb of the command', (language) => {
  const t = translatorFor(language);
  expect(t('convoy.button.change').toLowerCase().slice(0, 4)).toBe(t.typed('edit')?.slice(0, 4));
});
