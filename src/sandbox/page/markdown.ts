import { rulesExtended, SimpleMarkdown } from 'discord-markdown-parser';
import { z } from 'zod';
import { parseAnsi } from './ansi.ts';
import type { Mark } from './protocol.ts';

/**
 * A mention's text; null for unknown ids. A `command` is looked up by its untranslated name with subcommands, and
 * shown in the viewer's language; a `command-id` by its id.
 */
export type NameOf = (
  kind: 'user' | 'channel' | 'role' | 'command' | 'command-id',
  id: string,
) => string | null;

const flat = (value: unknown): unknown => (Array.isArray(value) ? value.flat(Infinity) : value);

/** A node of the parser's tree, as far as used. Its `em` omits lists within lists. */
const Node = z.object({
  type: z.string(),
  get content() {
    return z.union([z.string(), nodes]).optional();
  },
  target: z.string().optional(),
  lang: z.string().optional(),
  level: z.number().optional(),
  timestamp: z.string().optional(),
  format: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  fullName: z.string().optional(),
  start: z.number().nullable().optional(),
  get items() {
    return z.array(nodes).optional();
  },
});
type Node = z.output<typeof Node>;
const nodes = z.preprocess(flat, z.array(Node));

const listLine = /^( *)(?:[-*]|(\d{1,9})\.) +([^\n]*)$/;

/** The parser has no lists; Discord has them, at the start of a line, nested by indentation. */
const list = {
  order: SimpleMarkdown.defaultRules.heading.order - 0.4,
  match: (source: string, state: object, previous: string) =>
    !('inList' in state) && (previous === '' || previous.endsWith('\n'))
      ? /^(?: *(?:[-*]|\d{1,9}\.) +[^\n]+(?:\n|$))+/.exec(source)
      : null,
  parse: (
    capture: { readonly [index: number]: string },
    parse: (source: string, state: object) => unknown,
    state: object,
  ) => {
    const lines = (capture[0] ?? '')
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => listLine.exec(line))
      .flatMap((match) =>
        match === null ? [] : [{ depth: (match[1] ?? '').length, number: match[2], text: match[3] ?? '' }],
      );
    return nested(lines, (text) => parse(text, { ...state, inList: true }));
  },
};

interface Line {
  readonly depth: number;
  readonly number: string | undefined;
  readonly text: string;
}

function nested(lines: readonly Line[], parse: (text: string) => unknown): object {
  const depth = lines[0]?.depth ?? 0;
  const items: unknown[][] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined) break;
    const below = lines.slice(index + 1).findIndex((other) => other.depth <= depth);
    const end = below === -1 ? lines.length : index + 1 + below;
    const item = [parse(line.text)];
    if (end > index + 1) item.push(nested(lines.slice(index + 1, end), parse));
    items.push(item);
    index = end - 1;
  }
  const number = lines[0]?.number;
  return { type: 'list', start: number === undefined ? null : Number(number), items };
}

const parser = SimpleMarkdown.parserFor({ ...rulesExtended, list });

/** Discord's markdown as a tree of marks. Anything that is not markup stays text. */
export function parseMarkdown(source: string, nameOf: NameOf): readonly Mark[] {
  try {
    return marksOf(nodes.parse(parser(source, { inline: true })), nameOf);
  } catch (error) {
    // Thousands of asterisks nest deeper than the parser can recurse: such a text is shown as typed.
    if (error instanceof RangeError) return [{ type: 'text', text: source }];
    throw error;
  }
}

function marksOf(tree: readonly Node[], nameOf: NameOf): readonly Mark[] {
  const marks: Mark[] = [];
  for (const node of tree) {
    const mark = markOf(node, nameOf);
    const last = marks.at(-1);
    if (mark.type === 'text' && last?.type === 'text') {
      marks[marks.length - 1] = { type: 'text', text: last.text + mark.text };
    } else if (mark.type !== 'break' || last?.type !== 'code-block') {
      // A code block includes the line break after its last line.
      marks.push(mark);
    }
  }
  return marks;
}

const wrapping = {
  strong: 'bold',
  em: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  spoiler: 'spoiler',
  blockQuote: 'quote',
  subtext: 'subtext',
} as const;

function isWrapping(type: string): type is keyof typeof wrapping {
  return Object.hasOwn(wrapping, type);
}

function markOf(node: Node, nameOf: NameOf): Mark {
  const { type, content } = node;
  const text = typeof content === 'string' ? content : '';
  const inner = (): readonly Mark[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : marksOf(content ?? [], nameOf);
  if (isWrapping(type)) return { type: wrapping[type], marks: inner() };
  switch (type) {
    case 'br':
    case 'newline':
      return { type: 'break' };
    case 'heading':
      return { type: 'heading', level: node.level ?? 3, marks: inner() };
    case 'list':
      return {
        type: 'list',
        start: node.start ?? null,
        items: (node.items ?? []).map((item) => marksOf(item, nameOf)),
      };
    case 'inlineCode':
      return { type: 'code', text };
    case 'codeBlock':
      return {
        type: 'code-block',
        runs: node.lang === 'ansi' ? parseAnsi(text) : [{ text, colour: null }],
      };
    case 'timestamp':
      return { type: 'timestamp', seconds: Number(node.timestamp), style: node.format ?? 'f' };
    case 'url':
    case 'link':
    case 'autolink':
      return linkOf(node.target ?? '', inner());
    case 'user':
      return mentionOf(type, '@', node.id, nameOf);
    case 'role':
      return mentionOf(type, '@', node.id, nameOf);
    case 'channel':
      return mentionOf(type, '#', node.id, nameOf);
    case 'everyone':
    case 'here':
      return { type: 'mention', text: `@${type}` };
    case 'slashCommand':
      return commandOf(node.fullName ?? '', node.id ?? '', nameOf);
    case 'guildNavigation':
      return { type: 'unnamed', kind: 'guide' };
    case 'emoji':
      return { type: 'emoji', text: `:${node.name ?? ''}:` };
    case 'twemoji':
      return { type: 'emoji', text: node.name ?? '' };
    default:
      return { type: 'text', text };
  }
}

function mentionOf(
  kind: 'user' | 'role' | 'channel',
  sign: string,
  id: string | undefined,
  nameOf: NameOf,
): Mark {
  const name = nameOf(kind, id ?? '');
  return name === null ? { type: 'unnamed', kind } : { type: 'mention', text: sign + name };
}

/** A command mention works only with the published id. */
function commandOf(fullName: string, id: string, nameOf: NameOf): Mark {
  const name = nameOf('command', fullName);
  const isOffered = name !== null && nameOf('command-id', id) === fullName.split(' ', 1)[0];
  return { type: 'command', text: `/${name ?? fullName}`, command: isOffered ? name : null };
}

/** Discord links http and https; any other address is shown as text. */
function linkOf(target: string, marks: readonly Mark[]): Mark {
  const url = URL.parse(target);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return { type: 'text', text: target };
  return { type: 'link', url: url.href, marks };
}
