/** What a board should show now: nothing but what is known and the time decides it. */
import { createHash } from 'node:crypto';
import { type BoardLook, boardCard } from '../cards/board/board-card.ts';
import {
  type BoardFacts,
  type JudgedFacts,
  judged,
  newest,
  oldestShown,
  shownParts,
} from '../cards/board/board-facts.ts';
import { ageOf } from '../cards/kit/age.ts';
import { buttons } from '../cards/kit/card.ts';
import { type CustomId, writeCustomId } from '../cards/kit/custom-id.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardMessage } from './channel.ts';

type Mode = BoardLook['mode'];

export interface Frame {
  readonly mode: Mode;
  /** Unix milliseconds: the own clock of the oldest part that is shown. */
  readonly checked: number | null;
  /** Two frames with one hash look the same, but for their two times. */
  readonly hash: string;
  /** The whole message, with when it last became different (unix milliseconds). */
  message(changed: number): BoardMessage;
}

const nothing: JudgedFacts = {
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

interface Standing {
  readonly mode: Mode;
  readonly checked: number | null;
  readonly shown: JudgedFacts;
}

/**
 * The foot follows the oldest part that is shown. Beyond that the live files, which alone carry the data's own clock,
 * are witnesses of the whole service: where all of them stand still, so does everything else, whenever it arrived.
 */
function standing(facts: BoardFacts, now: number): Standing {
  const shown = judged(facts, now);
  const parts = shownParts(shown);
  const clocks = Object.values(facts.live).flatMap((file) =>
    file === null || file.clockless === true ? [] : file.asOf,
  );
  const witness = clocks.length === 0 ? null : Math.max(...clocks);
  const witnessed = witness === null ? 'fresh' : ageOf('live', witness, now);
  const checked = oldestShown(shown);
  if (checked === null || witnessed === 'gone')
    return { mode: 'no-data', checked: witness ?? newest(facts), shown: nothing };
  const isWhollyOld = witnessed === 'old' || parts.every(({ old }) => old);
  const mode = isWhollyOld ? 'stale' : parts.some(({ old }) => old) ? 'partly-stale' : 'live';
  return { mode, checked: Math.min(checked, witness ?? checked), shown };
}

/**
 * Draws frames of one board, each only when it differs from the one before: facts are looked at every few seconds and
 * change far more rarely. `paused`: it is the last one before the bot stops.
 */
export function createRenderer(boardId: string) {
  let last: { readonly ingredients: readonly unknown[]; readonly hash: string } | null = null;

  return (facts: BoardFacts, now: number, paused: boolean, t: Translator): Frame => {
    const { mode: age, checked, shown } = standing(facts, now);
    const mode = paused ? 'paused' : age;
    const draw = (changed: number | null): BoardMessage => {
      // It cannot have changed later than anybody looked.
      const times =
        changed === null
          ? { changed, checked: null }
          : { changed: Math.min(changed, checked ?? changed), checked };
      const row = buttons({ ...buttonOf(boardId), label: t('board.mine') });
      return { embeds: boardCard(shown, { mode, ...times }, t).embeds, components: [row] };
    };
    const ingredients = [mode, t.locale, ...recordsIn(shown)];
    if (last === null || !ingredients.every((one, index) => one === last?.ingredients[index])) {
      last = { ingredients, hash: digest(draw(null)) };
    }
    return { mode, checked, hash: last.hash, message: draw };
  };
}

/** All that a card draws from facts: the records, and of when they are where they are old. */
function recordsIn({ overview, chat, live }: JudgedFacts): readonly unknown[] {
  return [overview, chat, ...Object.values(live)].flatMap((known) =>
    known === null ? [null, null] : [known.record, known.old ? known.asOf : null],
  );
}

function digest(message: BoardMessage): string {
  return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}
