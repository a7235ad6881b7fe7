/** `/forget-me` names the link and its verification itself; the other kinds are lines that collections declare. */
import { describe, expect, test } from 'vitest';
import { forgetQuestion } from '../../../../commands/people/cards/own-data-text.ts';
import { type Language, languages } from '../../../../src/base/languages.ts';
import { createTranslators } from '../../../support/translators.ts';

type Words = readonly [link: string, proof: string];

const en: Words = ['your link to', 'verification'];
const de: Words = ['deine Verknüpfung mit', 'Bestätigung'];
const es: Words = ['tu vínculo con', 'verificación'];
const fr: Words = ['ton lien avec', 'vérification'];
const it: Words = ['il tuo collegamento a', 'verifica'];
const nl: Words = ['je koppeling aan', 'verificatie'];
const pl: Words = ['twoje połączenie z', 'potwierdzenie'];
const pt: Words = ['seu vínculo com', 'verificação'];
const ru: Words = ['твою привязку к', 'подтверждением'];
const tr: Words = ['bağlantın', 'doğrulaman'];

const words: Record<Language, Words> = {
  ...{ 'en-GB': en, 'en-US': en, 'es-ES': es, 'es-419': es, 'pt-BR': pt },
  ...{ de, fr, it, nl, pl, ru, tr },
};

const translatorFor = createTranslators();

describe.each(languages)('%s', (language) => {
  const t = translatorFor(language);

  test('/forget-me says that it deletes the link, its verification and each line', () => {
    const younger = { username: 'k3nny', kept: { why: 'young', until: 0 } } as const;
    for (const own of [null, younger]) {
      const texts = { lines: ['one kind', 'another kind'], copies: 'Copies stay.' };
      const question = forgetQuestion(own, texts, t);
      for (const part of [...words[language], '\n- one kind\n- another kind\n\nCopies stay. '])
        expect(question).toContain(part);
    }
  });
});
