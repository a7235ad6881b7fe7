import { MINUTE } from '../../../../src/base/duration.ts';
import {
  type BoardSettings,
  type BoardState,
  newBoardOptions,
  newBoardState,
} from '../../../../src/cards/board/board.ts';
import type { Frame } from '../../../../src/messages/boards/render.ts';
import { type Moment, newState, type State } from '../../../../src/messages/boards/state.ts';

/** Of the monotonic clock. */
export const NOW = 1_000_000;
/** Unix milliseconds. */
export const WALL = 1_800_000_000_000;
export const now: Moment = { monotonic: NOW, wall: WALL, chance: 1 };

export const settings: BoardSettings = {
  guildId: '7',
  channelId: '8',
  madeBy: '6',
  locale: 'en',
  colours: true,
  madeAt: WALL - 5000,
  removed: false,
  options: newBoardOptions,
};

export function frame(hash: string, more: Partial<Frame> = {}): Frame {
  const message: Frame['message'] = () => ({ embeds: [{ description: hash }], components: [] });
  return {
    mode: 'live',
    checked: WALL - 3000,
    times: `${WALL - 3000}`,
    hash,
    message,
    ...more,
  };
}

type Changes = Partial<Omit<State, 'stored' | 'backoff'>> & {
  readonly stored?: Partial<BoardState>;
  readonly backoff?: Partial<State['backoff']>;
};

/** A board whose message is there and shows what it should, and whose turn it is, changed in some of it. */
export function state({ stored, backoff, ...changes }: Changes = {}): State {
  const first = newState(settings, { ...newBoardState, posted: 'm', ...stored }, NOW - 1000, {
    marksStop: true,
  });
  return {
    ...first,
    mayAct: true,
    access: { kind: 'open' },
    checkEvery: 15_000,
    refreshEvery: MINUTE,
    checkAt: NOW + 9000,
    ticket: 3,
    served: { ticket: 3, at: NOW, gap: 25, hasRoom: true },
    frame: frame('a'),
    shown: { hash: 'a', mode: 'live', checked: WALL - 3000, times: `${WALL - 3000}`, at: NOW - 2000 },
    ...changes,
    backoff: { ...first.backoff, ...backoff },
  };
}
