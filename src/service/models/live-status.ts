import { z } from 'zod';
import { flag, loginName, moment, text } from './leaves.ts';
import { fieldsOrUnreadable, lenientFields, lenientList, partialList, returningEntries } from './lenient.ts';
import { isUnreadable, type Unreadable } from './read.ts';

export const LiveServer = z.enum(['one', 'two', 'three', 'four']);
export type LiveServer = z.output<typeof LiveServer>;

const dutyShape = {
  siren: flag,
  med: flag,
  caution: flag,
  tow: flag,
  cop: flag,
  isChased: flag,
  isJoining: flag,
  hazard: flag,
};
export type DutyFlag = keyof typeof dutyShape;

const shape = {
  p: text,
  u: text,
  un: loginName,
  nn: text,
  l: text,
  v: text,
};

const fieldsOfPlayer = z.object({ ...fieldsOrUnreadable(dutyShape), ...lenientFields(shape) });
const LivePlayer = fieldsOfPlayer.transform(({ p, u, un, nn, l, v, ...flags }) => ({
  ...flags,
  plid: p,
  /** The number of the player's connection to the server. */
  connection: u,
  username: un,
  nickname: nn,
  place: l,
  vin: v,
  /** The job that the driver is on, as the game words it. */
  job: null as string | null,
}));

/** Ten times what a server of the game takes. To read so many who are all new takes 8 to 80 ms. */
const MAX_PLAYERS = 500;

type LivePlayer = z.output<typeof LivePlayer>;

function livePlayers(toPlayer: (player: LivePlayer, key: string) => LivePlayer) {
  const usedFields = [...Object.keys(dutyShape), ...Object.keys(shape)];
  return returningEntries('player', { value: LivePlayer, used: usedFields, most: MAX_PLAYERS }, toPlayer);
}

const Connection = z.object({ u: text });
/** The connections of a suspect, and of the police in pursuit. */
const Chase = z.object({ su: Connection, ...lenientFields({ co: lenientList('pursuer', Connection) }) });
const Chases = fieldsOrUnreadable({ cs: partialList('chase', Chase) });
type Chases = z.output<(typeof Chases)['cs']>;

/** A job in the words of the game, with the connections of its drivers. */
const Job = z.object({
  lt: text,
  ps: lenientList(
    'driver of a job',
    text.transform((u) => ({ u })),
  ),
});
const Jobs = fieldsOrUnreadable({ ms: partialList('job', Job) });
type Jobs = z.output<(typeof Jobs)['ms']>;

/** Adds the drivers' jobs. A file without jobs, and one that does not report any, are alike. */
function withJobs(players: readonly LivePlayer[], ms: Jobs) {
  const jobs = isUnreadable(ms) ? { rows: [], isWhole: false } : (ms ?? { rows: [], isWhole: true });
  const jobOf = new Map(jobs.rows.flatMap(({ lt, ps }) => ps.map(({ u }) => [u, lt] as const)));
  return {
    players: players.map((player): LivePlayer => {
      const job = jobOf.get(player.connection ?? '');
      return job === undefined ? player : { ...player, job };
    }),
    /** There may be more jobs than could be read. */
    hasUnreadableJobs: !jobs.isWhole,
  };
}

/**
 * How far a file reports one kind of duty. `all`: of every player. `some`: only of players in a chase, so there may be more.
 * `unclear`: some of it is unreadable, so there may be more. `none`: not at all.
 */
export type Coverage = 'all' | 'some' | 'unclear' | 'none';
type DutyReport = Readonly<Record<DutyFlag, Coverage>>;

function reportFrom(coverageOf: (flag: DutyFlag) => Coverage): DutyReport {
  return {
    siren: coverageOf('siren'),
    med: coverageOf('med'),
    caution: coverageOf('caution'),
    tow: coverageOf('tow'),
    cop: coverageOf('cop'),
    isChased: coverageOf('isChased'),
    isJoining: coverageOf('isJoining'),
    hazard: coverageOf('hazard'),
  };
}

/** Reads the report from the players' flags. A file with flags may leave out those that are not set; an empty server needs none. */
function reportOf(players: readonly LivePlayer[]): DutyReport {
  const sentFlags = new Set<boolean | Unreadable>();
  const unclear = new Set<DutyFlag>();
  for (const player of players)
    for (const name of DutyFlags) {
      const value = player[name];
      if (value !== null) sentFlags.add(value);
      if (isUnreadable(value)) unclear.add(name);
    }
  if (players.length > 0 && sentFlags.size === 0) return reportFrom(() => 'none');
  return reportFrom((name) => (unclear.has(name) ? 'unclear' : 'all'));
}

const DutyFlags = Object.keys(dutyShape) as readonly DutyFlag[];

/** Adds the suspects and the police of the chases to what the players' own flags say. */
function withChases(players: readonly LivePlayer[], cs: Chases) {
  const report = reportOf(players);
  if (cs === null) return { players, duty: report };
  const chases = isUnreadable(cs) ? { rows: [], isWhole: false } : cs;
  const suspects = new Set(chases.rows.map(({ su }) => su.u));
  const police = new Set(chases.rows.flatMap(({ co }) => (co ?? []).map(({ u }) => u)));
  const connections = new Set(players.map(({ connection }) => connection));
  const isWhole = chases.isWhole && [...suspects].every((suspect) => connections.has(suspect));
  const coverage = (own: Coverage, listed: Coverage): Coverage =>
    own === 'none' ? (isWhole ? listed : 'unclear') : own;
  return {
    players: players.map((player): LivePlayer => {
      const isSuspect = suspects.has(player.connection ?? '');
      const isPolice = police.has(player.connection ?? '');
      if (!isSuspect && !isPolice) return player;
      return { ...player, ...(isSuspect ? { isChased: true } : {}), ...(isPolice ? { cop: true } : {}) };
    }),
    duty: {
      ...report,
      cop: coverage(report.cop, 'some'),
      isChased: coverage(report.isChased, 'all'),
    },
  };
}

/** The game's server has an entry among its connections: without a car and a login name, it is nobody. */
function isPerson({ plid, username }: LivePlayer & { readonly plid: string | null }): boolean {
  return plid !== null || username !== null;
}

/** `plid` is the player's number in the game; null for someone who is connected without a car on the track. */
const numberedPlayers = livePlayers((player, key) => ({ ...player, plid: player.plid ?? key }));
// The map's keys are connections (each player's `u`), which mean nothing to a driver.
const connectedPlayers = livePlayers((player, key) => ({ ...player, connection: player.connection ?? key }));

/** Reads the new players of a file in slices, so that {@link LiveStatus} blocks the event loop only for a moment. */
export async function prepareLiveStatus(body: unknown): Promise<void> {
  if (typeof body !== 'object' || body === null) return;
  await numberedPlayers.prepare(Reflect.get(body, 'players'));
  await connectedPlayers.prepare(Reflect.get(body, 'ps'));
}

/** Without a readable map of players the file is broken, not the server empty. */
export const LiveStatus = z.union([
  z
    .object({
      players: numberedPlayers.schema,
      ...lenientFields({ server: text, time: moment }),
    })
    .transform(({ server, time, players }) => ({
      server,
      track: null,
      time,
      players,
      duty: reportOf(players),
      hasUnreadableJobs: false,
    })),
  z
    .object({
      ps: connectedPlayers.schema,
      ...Chases,
      ...Jobs,
      ...lenientFields({ n: text, t: moment, tk: text }),
    })
    .transform(({ n, t, tk, ps, cs, ms }) => {
      const { players, hasUnreadableJobs } = withJobs(ps.filter(isPerson), ms);
      return { server: n, track: tk, time: t, hasUnreadableJobs, ...withChases(players, cs) };
    }),
]);
/**
 * The first generation says what each player does, not who it is; the later one says who, where and in which car,
 * and of what they do only the chases and jobs, if at all. Missing values are null.
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
