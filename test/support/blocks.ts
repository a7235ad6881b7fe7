// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins every colour of a block.
const COLOUR = /\u001b\[\d+m/g;

/** The lines of each code block in a text, without their colours. */
export function blocksOf(text = ''): readonly (readonly string[])[] {
  return [...text.matchAll(/```(?:ansi)?\n([\s\S]*?)\n```/g)].map(([, inside = '']) =>
    inside.replaceAll(COLOUR, '').split('\n'),
  );
}
