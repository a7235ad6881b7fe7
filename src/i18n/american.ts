/** Texts by their keys, as deep as a catalogue is. */
interface Texts {
  readonly [key: string]: string | Texts;
}

/** British words in the catalogue and their American spelling. */
const spellings: readonly (readonly [british: RegExp, american: string])[] = [
  [/(colo)u(r)/gi, '$1$2'],
  [/(licen)c(e)/gi, '$1s$2'],
  [/(met)re(s?)\b/gi, '$1er$2'],
];

/** The English catalogue in American spelling: only spelling differs, so there is no second catalogue. */
export function american(british: Texts): Texts {
  return Object.fromEntries(
    Object.entries(british).map(([key, text]) => [
      key,
      typeof text === 'string'
        ? spellings.reduce((spelt, [from, to]) => spelt.replace(from, to), text)
        : american(text),
    ]),
  );
}
