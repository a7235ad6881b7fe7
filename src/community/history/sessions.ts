/** Sessions that are over, to the second. */
import { SECOND } from '../../base/duration.ts';
import {
  insertRows,
  numberIn,
  type Query,
  type Row,
  type SqlValue,
  type Steps,
  sql,
  textIn,
} from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import { noteNames, type RowsAtOnce } from './drivers.ts';
import type { Session, Stretch } from './history.ts';

export interface DriverSession {
  readonly driver: string;
  readonly session: Session;
}

/** The rows of all of a driver's sessions (a name without its case), oldest first, each with the `name` as last spelled. */
export function selectSessions(key: string): Query {
  return sql`SELECT began, server, ended, played, police, medic, tow, start_known, end_known,
      (SELECT name FROM drivers WHERE driver = sessions.driver) AS name
    FROM sessions WHERE driver = ${key} ORDER BY began`;
}

/** The keys of sessions that began since then: see {@link sessionKey}. */
export function selectBegun(since: number): Query {
  return sql`SELECT began, driver, server FROM sessions WHERE began >= ${Math.floor(since / SECOND)}`;
}

/** Returns the key of a stored session as one text, which {@link keyOf} has as well. */
export function sessionKey(row: Row): string {
  return `${numberIn(row, 'began')} ${textIn(row, 'driver')} ${textIn(row, 'server')}`;
}

export function keyOf(driver: string, { from, server }: Session): string {
  return `${Math.round(from / SECOND)} ${sameSpelling(driver)} ${server}`;
}

/**
 * The seconds (`driver`, `name`, `seconds`) that were played within the span in sessions that began within the other one: the
 * time of a session counts evenly over it. A session that ends in the future comes from a clock that was ahead.
 */
export function selectPlaytime(begun: Stretch, { from, to }: Stretch, now: number): Query {
  const [first, last] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)];
  return sql`SELECT sums.driver, name, sums.seconds FROM drivers JOIN (
      SELECT driver, sum(CAST(played AS DOUBLE PRECISION)
          * (CASE WHEN ended < ${last} THEN ended ELSE ${last} END
            - CASE WHEN began > ${first} THEN began ELSE ${first} END) / (ended - began)) AS seconds
      FROM sessions
      WHERE began >= ${Math.floor(begun.from / SECOND)} AND began < ${Math.ceil(begun.to / SECOND)}
        AND ended > ${first} AND ended > began AND ended <= ${Math.floor(now / SECOND)} GROUP BY driver
    ) AS sums ON sums.driver = drivers.driver ORDER BY sums.driver`;
}

/** Null for one on a server that this version does not know. */
export function readSession(row: Row): Session | null {
  const server = LiveServer.options.find((each) => each === row['server']);
  if (server === undefined) return null;
  const ms = (column: string): number => numberIn(row, column) * SECOND;
  return {
    from: ms('began'),
    to: ms('ended'),
    server,
    played: ms('played'),
    duty: row['police'] === null ? null : { police: ms('police'), medic: ms('medic'), tow: ms('tow') },
    startKnown: row['start_known'] === 1,
    endKnown: row['end_known'] === 1,
  };
}

export function* addSessions(sessions: readonly DriverSession[], at: RowsAtOnce): Steps<void> {
  yield* noteNames(
    sessions.map(({ driver }) => driver),
    at,
  );
  const rows = sessions.map(({ driver, session }): [string, readonly SqlValue[]] => [
    keyOf(driver, session),
    rowOf(sameSpelling(driver), session),
  ]);
  yield* insertRows(
    at,
    [...new Map(rows).values()],
    (values) => sql`INSERT INTO sessions
        (began, driver, server, ended, played, police, medic, tow, start_known, end_known) VALUES ${values}
      ON CONFLICT (began, driver, server) DO UPDATE SET ended = excluded.ended, played = excluded.played,
        police = excluded.police, medic = excluded.medic, tow = excluded.tow,
        start_known = excluded.start_known, end_known = excluded.end_known`,
  );
}

function rowOf(driver: string, { from, to, server, played, duty, startKnown, endKnown }: Session) {
  const seconds = (ms: number): number => Math.round(ms / SECOND);
  const began = seconds(from);
  const length = seconds(to - from);
  return [
    ...[began, driver, server, began + length, Math.max(0, length - seconds(to - from - played))],
    ...(duty === null ? [null, null, null] : [duty.police, duty.medic, duty.tow].map(seconds)),
    ...[startKnown ? 1 : 0, endKnown ? 1 : 0],
  ];
}

/** Stored sessions are exact to the second. */
export function isStored({ server, from }: Session, stored: readonly Session[]): boolean {
  return stored.some((one) => one.server === server && Math.abs(one.from - from) < SECOND);
}
