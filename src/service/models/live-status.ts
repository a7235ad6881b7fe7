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
      un: text,
      nn: text,
      l: text,
      v: text,
    }),
  )
  .transform(({ un, nn, l, v, ...flags }) => ({ ...flags, username: un, nickname: nn, place: l, vin: v }));

const livePlayers = entries('player', LivePlayer).transform((players) =>
  players.map(({ key, value }) => ({ plid: key, ...value })),
);

/** Without a readable map of players it is a broken file, never an empty server. */
export const LiveStatus = z.union([
  z
    .object({ players: livePlayers, ...fields({ server: text, time: moment }) })
    .transform(({ server, time, players }) => ({ server, track: null, time, players })),
  z
    .object({ ps: livePlayers, ...fields({ n: text, t: moment, tk: text }) })
    .transform(({ n, t, tk, ps }) => ({ server: n, track: tk, time: t, players: ps })),
]);
/** Duty flags are null where the service does not tell them (the later generation); the names where it does. */
export type LiveStatus = z.output<typeof LiveStatus>;
