/** Draws what a board should show now, from the facts and the time only. */
import { createHash } from 'node:crypto';
import { createBoundedMap } from '../base/bounded.ts';
import { boardCard } from '../cards/board/board-card.ts';
import { type BoardLook, type BoardView, lookOf } from '../cards/board/board-look.ts';
import { buttonRow } from '../cards/kit/card.ts';
import { type CustomId, writeCustomId } from '../cards/kit/custom-id.ts';
import { liveButtons, openableServers } from '../cards/servers/live-buttons.ts';
import { plainSummary } from '../cards/servers/summary.ts';
import type { Translator } from '../i18n/translator.ts';
import type { BoardMode } from '../service/models/board.ts';
import type { Facts, JudgedFacts } from '../service/models/facts.ts';
import type { BoardMessage } from './channels.ts';

export interface Frame {
  readonly mode: BoardMode;
  /** Unix ms: the oldest shown part's own time. */
  readonly checked: number | null;
  /** The times that it shows, in unix ms; null where it shows none. */
  readonly times: string | null;
  /** In one line without markup; null where nothing is known. */
  readonly summary: string | null;
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

/** Hashes kept for boards that look alike; a few hundred bytes each. */
const LOOKS = 1000;

/**
 * Renders the frames of all boards. They differ by language and view, so the hash is computed once for all of one
 * look, and again only when its ingredients differ: facts are checked every few seconds and change more rarely.
 */
export function createRenderer() {
  const last = createBoundedMap<
    string,
    Pick<Frame, 'hash' | 'summary'> & { ingredients: readonly unknown[] }
  >(LOOKS);

  /** The part that is the same for all boards that look alike. */
  function knownLook(look: BoardLook, { facts, view }: FrameFacts, t: Translator) {
    const { mode, whys, shown } = look;
    const ingredients = [mode, ...whys, ...recordsIn(shown, facts)];
    const key = JSON.stringify([t.locale, t.colours, view.servers, view.members, view.names]);
    const before = last.get(key);
    const isSame = (one: unknown, index: number): boolean => one === ingredients[index];
    if (before?.ingredients.length === ingredients.length && before.ingredients.every(isSame)) return before;
    const { embeds } = boardCard({ ...look, since: null, checked: null, times: null }, view, t);
    const hash = digest([embeds, t('board.mine'), openableServers(shown)]);
    const known = { ingredients, hash, summary: plainSummary(shown, t) };
    last.set(key, known);
    return known;
  }

  return (boardId: string, wanted: FrameFacts, t: Translator): Frame => {
    const { facts, view, now, paused, round } = wanted;
    const judged = lookOf(facts, view, now);
    const look = paused ? { ...judged, mode: 'paused' as const } : judged;
    const { mode, checked, shown, times } = look;
    const { hash, summary } = knownLook(look, wanted, t);
    return {
      mode,
      checked,
      times: times === null ? `${checked}` : `${times.drivers} ${times.rest}`,
      hash,
      summary,
      message() {
        const mine = { ...buttonOf(boardId), label: t('board.mine') };
        const row = buttonRow(mine, ...liveButtons(openableServers(shown), t));
        return { embeds: boardCard(look, view, t, { round }).embeds, components: [row] };
      },
    };
  };
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
    // As text, since each reading of the facts has a list of its own.
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
