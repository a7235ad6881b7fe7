/** Draws what a board should show now, from the facts and the time only. */
import { createHash } from 'node:crypto';
import { bounded } from '../base/bounded.ts';
import { type BoardLook, boardCard } from '../cards/board/board-card.ts';
import { type BoardView, inView, oldestShown, partTimes, shownParts } from '../cards/board/board-view.ts';
import { buttons } from '../cards/kit/card.ts';
import { type CustomId, writeCustomId } from '../cards/kit/custom-id.ts';
import { plainHeadline } from '../cards/servers/headline.ts';
import { liveButtons, openable } from '../cards/servers/live-buttons.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardMode } from '../service/models/board.ts';
import { judge } from '../service/models/dated.ts';
import { type Facts, type JudgedFacts, judgeFacts, newest, noFacts } from '../service/models/facts.ts';
import type { BoardMessage } from './channels.ts';

export interface Frame {
  readonly mode: BoardMode;
  /** Unix ms: the oldest shown part's own time. */
  readonly checked: number | null;
  /** In one line without markup; null where nothing is known. */
  readonly headline: string | null;
  /** Frames with the same hash look the same, apart from their times. */
  readonly hash: string;
  /** The full message. */
  message(): BoardMessage;
}

/**
 * A board finds its own message by the custom id of its button: it is invisible, cannot appear in anyone else's
 * message, and unlike a nonce can still be read a month later.
 */
function buttonOf(boardId: string): CustomId {
  return { command: 'servers', action: 'mine', subject: boardId };
}

export function markerOf(boardId: string): string {
  return writeCustomId(buttonOf(boardId));
}

interface Status {
  readonly mode: BoardMode;
  readonly checked: number | null;
  /** The same as its foot says it. */
  readonly times: BoardLook['checked'];
  readonly shown: JudgedFacts;
}

/**
 * The live files, which alone carry their own time, speak for the whole service: if all of them have stopped, so has
 * everything else, whenever it arrived. If they cannot be read, and the service has answered something else since, they
 * speak for themselves alone. The time of the newest; null: none speaks.
 */
function witnessOf({ overview, chat, live }: Facts): number | null {
  const files = Object.values(live).flatMap((file) => (file === null || file.clockless === true ? [] : file));
  if (files.length === 0) return null;
  const last = Math.max(...files.map(({ asOf }) => asOf));
  const others = [overview, chat].flatMap((polled) => polled?.asOf ?? []);
  const isContradicted = others.some((now) => judge({ asOf: last }, 'live', now) !== 'live');
  return isContradicted && files.every(({ unread }) => unread === true) ? null : last;
}

/** The status follows the oldest part shown, and the witness beyond that. */
function statusOf(facts: Facts, view: BoardView, now: number): Status {
  const shown = inView(judgeFacts(facts, now), view);
  const parts = shownParts(shown);
  const witness = witnessOf(facts);
  const witnessed = witness === null ? 'live' : judge({ asOf: witness }, 'live', now);
  const checked = oldestShown(shown);
  if (checked === null || witnessed === 'no-data') {
    const last = witness ?? newest(facts);
    return { mode: 'no-data', checked: last, times: last, shown: noFacts };
  }
  const isWhollyOld = witnessed === 'stale' || parts.every(({ isStale }) => isStale);
  const mode = isWhollyOld ? 'stale' : parts.some(({ isStale }) => isStale) ? 'partly-stale' : 'live';
  // What arrived after all files had stopped is no newer than they are.
  const atMost = (time: number): number => (witnessed === 'stale' ? Math.min(time, witness ?? time) : time);
  const { drivers, slots, members } = partTimes(shown);
  const times = {
    drivers: drivers && atMost(drivers),
    slots: slots && atMost(slots),
    members: members && atMost(members),
  };
  return { mode, checked: atMost(checked), times, shown };
}

interface Wanted {
  readonly facts: Facts;
  readonly view: BoardView;
  /** Unix milliseconds. */
  readonly now: number;
  /** The last frame before the bot stops. */
  readonly paused: boolean;
  /** How often each board is updated, in ms; null: as often as one board by itself. */
  readonly round: number | null;
}

/** The part that is the same for all boards that look alike. */
type Look = Pick<Frame, 'hash' | 'headline'>;

/** Hashes kept for boards that look alike; a few hundred bytes each. */
const LOOKS = 1000;

/**
 * Renders the frames of all boards. They differ by language and view, so the hash is computed once for all of one
 * look, and again only when its ingredients differ: facts are checked every few seconds and change more rarely.
 */
export function createRenderer() {
  const last = bounded<string, Look & { readonly ingredients: readonly unknown[] }>(LOOKS);

  function lookOf(mode: BoardMode, shown: JudgedFacts, { facts, view }: Wanted, t: Translator): Look {
    const ingredients = [mode, ...recordsIn(shown, facts)];
    const key = JSON.stringify([t.locale, view.servers, view.members, view.names]);
    const before = last.get(key);
    if (before?.ingredients.every((one, index) => one === ingredients[index])) return before;
    const { embeds } = boardCard(shown, view, { mode, checked: null, round: null }, t);
    const hash = digest([embeds, t('board.mine'), openable(shown)]);
    const look = { ingredients, hash, headline: plainHeadline(shown, t) };
    last.set(key, look);
    return look;
  }

  return (boardId: string, wanted: Wanted, t: Translator): Frame => {
    const { facts, view, now, paused, round } = wanted;
    const { mode: age, checked, times, shown } = statusOf(facts, view, now);
    const mode = paused ? 'paused' : age;
    const { hash, headline } = lookOf(mode, shown, wanted, t);
    return {
      mode,
      checked,
      hash,
      headline,
      message() {
        const mine = { ...buttonOf(boardId), label: t('board.mine') };
        const row = buttons(mine, ...liveButtons(openable(shown), t));
        const { embeds } = boardCard(shown, view, { mode, checked: times, round }, t);
        return { embeds, components: [row] };
      },
    };
  };
}

/**
 * Everything a card draws from the facts: the records, and the times of the old ones. A view makes a new overview each
 * time, so that the whole one stands for it, beside its drivers, which are those of the newer source.
 */
function recordsIn({ overview, chat, live, offlineSince }: JudgedFacts, whole: Facts): readonly unknown[] {
  const servers = overview && { ...overview, record: whole.overview?.record };
  const drivers = (overview?.record ?? []).map(({ guests }) => guests);
  return [
    ...drivers,
    offlineSince,
    ...[servers, chat, ...Object.values(live)].flatMap((known) =>
      known === null ? [null, null] : [known.record, known.isStale ? known.asOf : null],
    ),
  ];
}

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}
