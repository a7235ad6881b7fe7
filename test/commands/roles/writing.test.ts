import { expect, test } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

test.each(languages)('in %s the requirement of a role is asked for by that noun, not by when', (language) => {
  const t = translatorFor(language);
  expect(t.typed('requirement')).toBe(t('roles.options.requirement').toLowerCase());
  expect(t.typed('requirement')).not.toBe(t.typed('when'));
});

test.each(languages)('in %s a text that a form shows names no option', (language) => {
  const t = translatorFor(language);
  expect(t('roles.wrong.figure') + t('roles.wrong.licence')).not.toContain('`');
});
