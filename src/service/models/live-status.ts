import { z } from 'zod';
import { flag, moment, text } from './leaves.ts';
import { entries, fields } from './lenient.ts';

export const LiveServer = z.enum(['one', 'two', 'three', 'four']);
export type LiveServer = z.output<typeof LiveServer>;

const LivePlayer = z
  .object(
    fields({
      siren: flag,
      med: flag,
      caution: flag,
      tow: flag,
      cop: flag,
      isChased: flag,
      isJoining: flag,
      hazard: flag,
      p: text,
      un: text,
      nn: text,
      l: text,
      v: text,
    }),
  )
  .transform(({ p, un, nn, l, v, ...flags }) => ({
    ...flags,
    plid: p,
    username: un,
    nickname: nn,
    place: l,
    vin: v,
  }));

const livePlayers = entries('player', LivePlayer);

/** Without a readable map of players it is a broken file, never an empty server. */
export const LiveStatus = z.union([
  z
    .object({ players: livePlayers, ...fields({ server: text, time: moment }) })
    .transform(({ server, time, players }) => ({
      server,
      track: null,
      time,
      /** `plid` is the player's number in the game; null for one who is connected and has no car on the track. */
      players: players.map(({ key, value }) => ({ ...value, plid: value.plid ?? key })),
    })),
  z
    .object({ ps: livePlayers, ...fields({ n: text, t: moment, tk: text }) })
    // The map's keys are connections here (each player's `u`), which says nothing to a driver.
    .transform(({ n, t, tk, ps }) => ({
      server: n,
      track: tk,
      time: t,
      players: ps.map(({ value }) => value),
    })),
]);
/**
 * The first generation says what each player does and not who it is; the later one who, where and in which car, and not
 * what. What is missing is null.
 */
export type LiveStatus = z.output<typeof LiveStatus>;
