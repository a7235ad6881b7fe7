/** Draws what a board should show now, from the facts and the time only. */
import { createHash } from 'node:crypto';
import { createBoundedMap } from '../../base/bounded.ts';
import type { BoardMode } from '../../cards/board/board.ts';
import { boardCard } from '../../cards/board/board-card.ts';
import { type BoardLook, type BoardView, lookOf } from '../../cards/board/board-look.ts';
import { buttonRow } from '../../cards/kit/card.ts';
import { type CustomId, writeCustomId } from '../../cards/kit/custom-id.ts';
import { liveButtons, openableServers } from '../../cards/servers/live-buttons.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Facts, JudgedFacts } from '../../service/models/facts.ts';
import type { BoardMessage } from './channels.ts';

export interface Frame {
  readonly mode: BoardMode;
  /** Unix ms: the oldest shown part's own time. */
  readonly checked: number | null;
  /** The times that it shows, in unix ms; null where it shows none. */
  readonly times: string | null;
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

interface FrameFacts {
  readonly facts: Facts;
  readonly view: BoardView;
  /** Unix milliseconds. */
  readonly now: number;
  /** The last frame before the bot stops. */
  readonly paused: boolean;
  /** How often each board is updated, in ms; null: as often as one board by itself. */
  readonly round: number | null;
}

/** Looks kept, one for all boards that look alike; a few kilobytes each. */
const MAX_LOOKS = 1000;
/** Time for which the look of the same facts is taken again, in ms: thousands of boards ask at once. */
const SAME_LOOK_MS = 250;

interface DrawnLook extends Pick<Frame, 'hash'> {
  readonly look: BoardLook;
  /** The facts, and the unix ms at which they were judged. */
  readonly facts: readonly unknown[];
  readonly judgedAt: number;
  /** Everything that `hash` is made of. */
  readonly ingredients: readonly unknown[];
  /** Returns the embeds of all boards with that look. */
  readonly embedsOf: (round: number | null) => BoardMessage['embeds'];
}

/**
 * Renders the frames of all boards. They differ by language and view: facts are judged and drawn once for all of one look,
 * and the hash is made again only when its ingredients differ, since facts are checked every few seconds and change more rarely.
 */
export function createRenderer() {
  const last = createBoundedMap<string, DrawnLook>(MAX_LOOKS);

  function lookFor({ facts, view, now, paused }: FrameFacts, t: Translator): DrawnLook {
    const key = JSON.stringify([t.locale, t.colours, paused, view.servers, view.members, view.names]);
    const lastFrame = last.get(key);
    const values = factValues(facts);
    const age = lastFrame === undefined ? Number.POSITIVE_INFINITY : now - lastFrame.judgedAt;
    if (lastFrame !== undefined && age >= 0 && age < SAME_LOOK_MS && areSame(lastFrame.facts, values))
      return lastFrame;
    const judged = lookOf(facts, view, now);
    const look = paused ? { ...judged, mode: 'paused' as const } : judged;
    const { mode, whys, shown } = look;
    const ingredients = [mode, ...whys, ...recordsIn(shown, facts)];
    const hash =
      lastFrame !== undefined && areSame(lastFrame.ingredients, ingredients)
        ? lastFrame.hash
        : hashLook(look, view, t);
    const embedsOf = createEmbeds(look, view, t);
    const drawnLook = { look, facts: values, judgedAt: now, ingredients, hash, embedsOf };
    last.set(key, drawnLook);
    return drawnLook;
  }

  return (boardId: string, wanted: FrameFacts, t: Translator): Frame => {
    const { look, hash, embedsOf } = lookFor(wanted, t);
    const { mode, checked, shown, times } = look;
    return {
      mode,
      checked,
      times: times === null ? `${checked}` : `${times.drivers} ${times.rest}`,
      hash,
      message() {
        const mine = { ...buttonOf(boardId), label: t('board.mine') };
        const row = buttonRow(mine, ...liveButtons(openableServers(shown), t));
        return { embeds: embedsOf(wanted.round), components: [row] };
      },
    };
  };
}

/** Hash of a look, without its times. */
function hashLook(look: BoardLook, view: BoardView, t: Translator): string {
  const { embeds } = boardCard({ ...look, since: null, checked: null, times: null }, view, t);
  return digest([embeds, t('board.mine'), openableServers(look.shown)]);
}

/** Draws a card once for boards that are updated equally often. */
function createEmbeds(look: BoardLook, view: BoardView, t: Translator): DrawnLook['embedsOf'] {
  let card: { readonly round: number | null; readonly embeds: BoardMessage['embeds'] } | null = null;
  return (round) => {
    if (card?.round !== round) card = { round, embeds: boardCard(look, view, t, { round }).embeds };
    return card.embeds;
  };
}

function areSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((value, index) => value === now[index]);
}

/** Everything that a look is judged by, but for the moment. */
function factValues({ overview, live, chat, withoutFile, offlineSince, faults }: Facts): readonly unknown[] {
  const sources = [overview, chat, live.one, live.two, live.three, live.four].flatMap((fact) =>
    fact === null ? [null] : [fact.record, fact.asOf, fact.clockless, fact.stale, fact.unread],
  );
  // As text, since each reading of the facts has a list of its own.
  return [...sources, withoutFile?.join(), offlineSince, faults?.overview, faults?.chat];
}

/**
 * Everything a card draws from the facts: the records, and the times of the old ones. A view makes a new overview each
 * time, so that the whole one stands for it, beside its drivers, which are those of the newer source.
 */
function recordsIn(
  { overview, chat, live, withoutFile, offlineSince }: JudgedFacts,
  whole: Facts,
): readonly unknown[] {
  const servers = overview && { ...overview, record: whole.overview?.record };
  const drivers = (overview?.record ?? []).map(({ guests }) => guests);
  return [
    ...drivers,
    withoutFile?.join(),
    offlineSince,
    ...[servers, chat, ...Object.values(live)].flatMap((known) =>
      known === null ? [null, null] : [known.record, known.isStale ? known.asOf : null],
    ),
  ];
}

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}
