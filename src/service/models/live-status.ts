import { z } from 'zod';
import { flag, loginName, moment, text } from './leaves.ts';
import { fields, returningEntries } from './lenient.ts';

export const LiveServer = z.enum(['one', 'two', 'three', 'four']);
export type LiveServer = z.output<typeof LiveServer>;

const shape = {
  siren: flag,
  med: flag,
  caution: flag,
  tow: flag,
  cop: flag,
  isChased: flag,
  isJoining: flag,
  hazard: flag,
  p: text,
  un: loginName,
  nn: text,
  l: text,
  v: text,
};

const LivePlayer = z.object(fields(shape)).transform(({ p, un, nn, l, v, ...flags }) => ({
  ...flags,
  plid: p,
  username: un,
  nickname: nn,
  place: l,
  vin: v,
}));

/** Ten times what a server of the game takes. To read so many who are all new takes 3 to 9 ms, and longer right after the start. */
const MOST_PLAYERS = 500;

type LivePlayer = z.output<typeof LivePlayer>;

function livePlayers(plidOf: (player: LivePlayer, key: string) => string | null) {
  const player = { value: LivePlayer, used: Object.keys(shape), most: MOST_PLAYERS };
  return returningEntries('player', player, (read, key) => ({ ...read, plid: plidOf(read, key) }));
}

/** The game's server has an entry among its connections: without a car and a login name, it is nobody. */
function isPerson({ plid, username }: LivePlayer & { readonly plid: string | null }): boolean {
  return plid !== null || username !== null;
}

/** Without a readable map of players the file is broken, not the server empty. */
export const LiveStatus = z.union([
  z
    .object({
      /** `plid` is the player's number in the game; null for someone who is connected without a car on the track. */
      players: livePlayers(({ plid }, key) => plid ?? key),
      ...fields({ server: text, time: moment }),
    })
    .transform(({ server, time, players }) => ({ server, track: null, time, players })),
  z
    .object({
      // Here the map's keys are connections (each player's `u`), which mean nothing to a driver.
      ps: livePlayers(({ plid }) => plid),
      ...fields({ n: text, t: moment, tk: text }),
    })
    .transform(({ n, t, tk, ps }) => ({ server: n, track: tk, time: t, players: ps.filter(isPerson) })),
]);
/**
 * The first generation says what each player does, not who it is; the later one says who, where and in which car,
 * not what. Missing values are null.
 */
export type LiveStatus = z.output<typeof LiveStatus>;
export type Player = LiveStatus['players'][number];

/**
 * Returns the players who drive. The later generation also lists who is connected without a car on the track: they are online,
 * and do not drive. All of them, if the file has a car of nobody: it may not report cars.
 */
export function drivingPlayers(players: readonly Player[]): readonly Player[] {
  const driving = players.filter(({ plid, vin }) => plid !== null || vin !== null);
  return driving.length === 0 ? players : driving;
}

/** The server of that name if it has a live file. */
export function liveServer(name: string | null): LiveServer | null {
  return LiveServer.safeParse(name?.toLowerCase()).data ?? null;
}
