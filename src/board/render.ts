/** What a board should show now: nothing but what is known and the time decides it. */
import { createHash } from 'node:crypto';
import { type BoardFacts, type BoardLook, boardCard } from '../cards/board/board-card.ts';
import { judged } from '../cards/board/board-facts.ts';
import { buttons } from '../cards/kit/card.ts';
import { type CustomId, writeCustomId } from '../cards/kit/custom-id.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardMessage } from './channel.ts';

type Mode = BoardLook['mode'];

/** Milliseconds: older data than this is marked. */
export const STALE = 45_000;
/** Milliseconds: older data than this is not shown. */
export const NO_DATA = 15 * 60_000;
/** Milliseconds: the overview comes once a minute at best, and more rarely where people need the budget. */
const POLLED = 6 * 60_000;

export interface Frame {
  readonly mode: Mode;
  /** Unix milliseconds: the newest answer's own clock. */
  readonly checked: number | null;
  /** Two frames with one hash look the same, but for their two times. */
  readonly hash: string;
  /** The whole message, with when it last became different (unix milliseconds). */
  message(changed: number): BoardMessage;
}

/** Knows nothing yet. */
export const nothing: BoardFacts = {
  overview: null,
  live: { one: null, two: null, three: null, four: null },
  chat: null,
};

/**
 * A board knows its own message by the custom id of its button: nobody sees it, no message of anybody else can carry
 * it for us, and unlike a nonce it is still there when the message is read a month later.
 */
function buttonOf(boardId: string): CustomId {
  return { command: 'servers', action: 'mine', subject: boardId };
}

export function markerOf(boardId: string): string {
  return writeCustomId(buttonOf(boardId));
}

/**
 * The live files carry the data's own clock, so they alone say how old the data is, once there has been one. A
 * deployment without them is judged by when the overview and the members arrived.
 */
function standing({ live, overview, chat }: BoardFacts, now: number): { mode: Mode; checked: number | null } {
  const files = Object.values(live).flatMap((known) => known?.asOf ?? []);
  const polled = [overview, chat].flatMap((known) => known?.asOf ?? []);
  const [times, limit] = files.length > 0 ? [files, STALE] : [polled, POLLED];
  if (times.length === 0) return { mode: 'no-data', checked: null };
  const checked = Math.max(...times);
  const age = now - checked;
  return { mode: age > NO_DATA ? 'no-data' : age > limit ? 'stale' : 'live', checked };
}

/**
 * Draws frames of one board, each only when it differs from the one before: facts are looked at every few seconds and
 * change far more rarely. `paused`: it is the last one before the bot stops.
 */
export function createRenderer(boardId: string) {
  let last: { readonly ingredients: readonly unknown[]; readonly hash: string } | null = null;

  return (all: BoardFacts, now: number, paused: boolean, t: Translator): Frame => {
    const { mode: age, checked } = standing(all, now);
    const mode = paused ? 'paused' : age;
    const facts = age === 'no-data' ? nothing : all;
    const draw = (changed: number | null): BoardMessage => {
      const look = { mode, changed, checked: changed === null ? null : checked };
      const row = buttons({ ...buttonOf(boardId), label: t('board.mine') });
      return { embeds: boardCard(facts, look, t).embeds, components: [row] };
    };
    const ingredients = [mode, t.locale, ...recordsIn(facts)];
    if (last === null || !ingredients.every((one, index) => one === last?.ingredients[index])) {
      last = { ingredients, hash: digest(draw(null)) };
    }
    return { mode, checked, hash: last.hash, message: draw };
  };
}

/** All that a card draws from facts: the records, and of when they are where they are old. */
function recordsIn(facts: BoardFacts): readonly unknown[] {
  const { overview, chat, live } = judged(facts);
  return [overview, chat, ...Object.values(live)].flatMap((known) =>
    known === null ? [null, null] : [known.record, known.old ? known.asOf : null],
  );
}

function digest(message: BoardMessage): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}
