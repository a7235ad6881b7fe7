import type { ServersWithBoards } from './servers-with-boards.ts';

/** States that a board may still show for a moment after a newer one was seen, since processes read at times of their own. */
const EARLIER = 5;

interface State {
  readonly content: string;
  /** When the first board showed it. */
  readonly at: number;
}

/**
 * The edits of boards that show the same, and how long each of them was wrong: from when another one showed something newer
 * until its next edit, or until now.
 */
export function watchEdits({ chat, channels }: ServersWithBoards) {
  const states: State[] = [];
  /** By channel, the index of the state that it shows. */
  const shown = new Map<string, number>();
  let count = 0;
  let wrong: number[] = [];

  function indexOf(content: string): number {
    const known = states.findLastIndex((state) => state.content === content);
    if (known >= 0 && known >= states.length - EARLIER) return known;
    return states.push({ content, at: performance.now() }) - 1;
  }

  const wrongFor = (index: number, until: number): readonly number[] => {
    const next = states[index + 1];
    return next === undefined ? [] : [until - next.at];
  };

  chat.subscribe((event) => {
    if (event.type !== 'message' || !channels.has(event.message.channel_id)) return;
    const { channel_id: channel, embeds } = event.message;
    const now = performance.now();
    count += 1;
    const content = contentOf(embeds);
    const before = shown.get(channel);
    // Renewed times are no newer state.
    if (before !== undefined && states[before]?.content === content) return;
    if (before !== undefined) wrong.push(...wrongFor(before, now));
    shown.set(channel, indexOf(content));
  });

  return {
    reset() {
      count = 0;
      wrong = [];
    },
    figures() {
      const now = performance.now();
      const still = [...shown.values()].flatMap((index) => wrongFor(index, now));
      return { count, wrong: [...wrong, ...still] };
    },
  };
}

/** Returns the text of embeds without times, and without the words around these, which join two equal ages to one. */
function contentOf(embeds: readonly unknown[]): string {
  return JSON.stringify(embeds)
    .replaceAll(/<t:\d+:\w>/g, '')
    .replace(/ · (?:drivers , the rest )?(?= · |"|$)/g, '');
}
