import type { APIEmbed } from 'discord.js';
import { parse } from 'discord-markdown-parser';

/** The markup that cards write themselves: bold, moments, a word of the game as code, the block of a coloured name. */
const ours = new Set(['text', 'strong', 'timestamp', 'codeBlock', 'inlineCode', 'br', 'newline', 'twemoji']);

/** The small last line of a card: when its record was true; above it, what signs mean. */
const AS_OF = /(?:^|\n)-# [^\n]*(?:\n-# [^\n]*)?$/;

type Node = ReturnType<typeof parse>[number];

function kinds(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    const inside: unknown = node['content'];
    return [String(node['type']), ...(Array.isArray(inside) ? kinds(inside) : [])];
  });
}

/** Markup in an embed that no card writes, so it must come from a name. */
export function strayMarkup({ title, description, fields = [] }: APIEmbed): string[] {
  const texts = [description, ...fields.flatMap(({ name, value }) => [name, value])].map((text) =>
    text?.replace(AS_OF, ''),
  );
  const found = texts.flatMap((text) =>
    kinds(parse(text ?? '', 'extended')).filter((kind) => !ours.has(kind)),
  );
  const inTitle = kinds(parse(title ?? '', 'normal')).filter((kind) => kind !== 'text' && kind !== 'twemoji');
  return [...found, ...inTitle];
}
