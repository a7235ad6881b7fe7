import { expect, test } from 'vitest';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

/** The last of them is written rounded, and so is its noun. */
const counts = [0, 1, 2, 5, 11, 21, 22, 1_000_000, 1.5];

const free: Readonly<Record<string, readonly string[]>> = {
  'en-GB': [
    'One has 0 free slots right now. Be quick!',
    'One has 1 free slot right now. Be quick!',
    'One has 2 free slots right now. Be quick!',
    'One has 5 free slots right now. Be quick!',
    'One has 11 free slots right now. Be quick!',
    'One has 21 free slots right now. Be quick!',
    'One has 22 free slots right now. Be quick!',
    'One has 1,000,000 free slots right now. Be quick!',
    'One has 2 free slots right now. Be quick!',
  ],
  de: [
    'Auf One sind gerade 0 Plätze frei. Beeil dich!',
    'Auf One ist gerade 1 Platz frei. Beeil dich!',
    'Auf One sind gerade 2 Plätze frei. Beeil dich!',
    'Auf One sind gerade 5 Plätze frei. Beeil dich!',
    'Auf One sind gerade 11 Plätze frei. Beeil dich!',
    'Auf One sind gerade 21 Plätze frei. Beeil dich!',
    'Auf One sind gerade 22 Plätze frei. Beeil dich!',
    'Auf One sind gerade 1.000.000 Plätze frei. Beeil dich!',
    'Auf One sind gerade 2 Plätze frei. Beeil dich!',
  ],
  fr: [
    'Il y a 0 place libre sur One en ce moment. Fais vite !',
    'Il y a 1 place libre sur One en ce moment. Fais vite !',
    'Il y a 2 places libres sur One en ce moment. Fais vite !',
    'Il y a 5 places libres sur One en ce moment. Fais vite !',
    'Il y a 11 places libres sur One en ce moment. Fais vite !',
    'Il y a 21 places libres sur One en ce moment. Fais vite !',
    'Il y a 22 places libres sur One en ce moment. Fais vite !',
    'Il y a 1 000 000 de places libres sur One en ce moment. Fais vite !',
    'Il y a 2 places libres sur One en ce moment. Fais vite !',
  ],
  nl: [
    'Op One zijn nu 0 plekken vrij. Wees er snel bij!',
    'Op One is nu 1 plek vrij. Wees er snel bij!',
    'Op One zijn nu 2 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 5 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 11 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 21 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 22 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 1.000.000 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 2 plekken vrij. Wees er snel bij!',
  ],
  'es-ES': [
    'One tiene ahora 0 plazas libres. ¡Date prisa!',
    'One tiene ahora 1 plaza libre. ¡Date prisa!',
    'One tiene ahora 2 plazas libres. ¡Date prisa!',
    'One tiene ahora 5 plazas libres. ¡Date prisa!',
    'One tiene ahora 11 plazas libres. ¡Date prisa!',
    'One tiene ahora 21 plazas libres. ¡Date prisa!',
    'One tiene ahora 22 plazas libres. ¡Date prisa!',
    'One tiene ahora 1.000.000 de plazas libres. ¡Date prisa!',
    'One tiene ahora 2 plazas libres. ¡Date prisa!',
  ],
  'es-419': [
    'One tiene ahora 0 cupos libres. ¡Apúrate!',
    'One tiene ahora 1 cupo libre. ¡Apúrate!',
    'One tiene ahora 2 cupos libres. ¡Apúrate!',
    'One tiene ahora 5 cupos libres. ¡Apúrate!',
    'One tiene ahora 11 cupos libres. ¡Apúrate!',
    'One tiene ahora 21 cupos libres. ¡Apúrate!',
    'One tiene ahora 22 cupos libres. ¡Apúrate!',
    'One tiene ahora 1,000,000 de cupos libres. ¡Apúrate!',
    'One tiene ahora 2 cupos libres. ¡Apúrate!',
  ],
  'pt-BR': [
    'One tem 0 vaga agora. Corra!',
    'One tem 1 vaga agora. Corra!',
    'One tem 2 vagas agora. Corra!',
    'One tem 5 vagas agora. Corra!',
    'One tem 11 vagas agora. Corra!',
    'One tem 21 vagas agora. Corra!',
    'One tem 22 vagas agora. Corra!',
    'One tem 1.000.000 de vagas agora. Corra!',
    'One tem 2 vagas agora. Corra!',
  ],
  it: [
    'One ha 0 posti liberi adesso. Sbrigati!',
    'One ha 1 posto libero adesso. Sbrigati!',
    'One ha 2 posti liberi adesso. Sbrigati!',
    'One ha 5 posti liberi adesso. Sbrigati!',
    'One ha 11 posti liberi adesso. Sbrigati!',
    'One ha 21 posti liberi adesso. Sbrigati!',
    'One ha 22 posti liberi adesso. Sbrigati!',
    'One ha 1.000.000 di posti liberi adesso. Sbrigati!',
    'One ha 2 posti liberi adesso. Sbrigati!',
  ],
  pl: [
    'Na serwerze One jest teraz 0 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 1 wolne miejsce. Pospiesz się!',
    'Na serwerze One są teraz 2 wolne miejsca. Pospiesz się!',
    'Na serwerze One jest teraz 5 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 11 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 21 wolnych miejsc. Pospiesz się!',
    'Na serwerze One są teraz 22 wolne miejsca. Pospiesz się!',
    'Na serwerze One jest teraz 1 000 000 wolnych miejsc. Pospiesz się!',
    'Na serwerze One są teraz 2 wolne miejsca. Pospiesz się!',
  ],
  ru: [
    'На One сейчас 0 свободных мест. Поспеши!',
    'На One сейчас 1 свободное место. Поспеши!',
    'На One сейчас 2 свободных места. Поспеши!',
    'На One сейчас 5 свободных мест. Поспеши!',
    'На One сейчас 11 свободных мест. Поспеши!',
    'На One сейчас 21 свободное место. Поспеши!',
    'На One сейчас 22 свободных места. Поспеши!',
    'На One сейчас 1 000 000 свободных мест. Поспеши!',
    'На One сейчас 2 свободных места. Поспеши!',
  ],
  tr: [
    'One sunucusunda şu an 0 boş yer var. Acele et!',
    'One sunucusunda şu an 1 boş yer var. Acele et!',
    'One sunucusunda şu an 2 boş yer var. Acele et!',
    'One sunucusunda şu an 5 boş yer var. Acele et!',
    'One sunucusunda şu an 11 boş yer var. Acele et!',
    'One sunucusunda şu an 21 boş yer var. Acele et!',
    'One sunucusunda şu an 22 boş yer var. Acele et!',
    'One sunucusunda şu an 1.000.000 boş yer var. Acele et!',
    'One sunucusunda şu an 2 boş yer var. Acele et!',
  ],
};

test.each(Object.entries(free))('in %s free slots are counted with the right noun', (language, sentences) => {
  const t = translatorFor(language);
  const written = counts.map((count) =>
    t('watch.slot.hasRoom', { server: 'One', count }).replaceAll(/[\u00a0\u202f]/g, ' '),
  );
  expect(written).toEqual(sentences);
});
