import { expect, test } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

test.each(languages)('in %s a text that a form shows names no option', (language) => {
  const t = translatorFor(language);
  for (const why of ['nothing', 'goesAlone', 'figure'] as const)
    expect(t(`watch.refused.${why}`)).not.toContain('`');
});
