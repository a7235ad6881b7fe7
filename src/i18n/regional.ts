/** Texts by their keys, as deep as a catalogue is. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

type Spelling = readonly [catalogue: RegExp, region: string];

/** Words of a catalogue that a region writes otherwise, by its locale. Only those: there is no second catalogue. */
const spellings: Readonly<Record<string, readonly Spelling[]>> = {
  'en-US': [
    [/(colo)u(r)/gi, '$1$2'],
    [/(licen)c(e)/gi, '$1s$2'],
    [/(met)re(s?)\b/gi, '$1er$2'],
    [/(cancel)l(ed)\b/gi, '$1$2'],
  ],
  // Discord's permissions, as its Latin American client names them.
  'es-419': [[/Gestionar (servidor|canales|roles)/g, 'Administrar $1']],
};

/** The texts as the region of a locale writes them. */
export function regional(locale: string, texts: Texts): Texts {
  const own = spellings[locale];
  return own === undefined ? texts : respelt(texts, own);
}

function respelt(texts: Texts, own: readonly Spelling[]): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string'
        ? own.reduce((spelt, [from, to]) => spelt.replace(from, to), text)
        : respelt(text, own),
    ]),
  );
}
