/** A made-up community as plain lists, from which both the stored history and the expected answers are made. */

import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import type { Figures, ProfileReading, Session, Stretch } from '../../../../src/community/history/history.ts';
import type { DriverSession } from '../../../../src/community/history/sessions.ts';
import { createRandom } from '../../../../src/sandbox/service/world/random.ts';
import type { LiveServer } from '../../../../src/service/models/live-status.ts';

const servers = ['one', 'two', 'three', 'four'] as const satisfies readonly LiveServer[];

export interface Community {
  readonly since: number;
  readonly until: number;
  /** In order of beginning. */
  readonly sessions: readonly DriverSession[];
  readonly readings: readonly { readonly driver: string; readonly readings: readonly ProfileReading[] }[];
  readonly holes: readonly Stretch[];
}

interface Size {
  readonly seed: number;
  readonly drivers: number;
  readonly sessions: number;
  readonly since: number;
  readonly until: number;
  /** Sessions of the driver who comes most often. */
  readonly most: number;
}

export const driverName = (index: number): string => `Driver ${index}`;

/** Whoever joins later comes less often; each has a reading of the profile every few days of the last month. */
export function createCommunity({ seed, drivers, sessions, since, until, most }: Size): Community {
  const random = createRandom(seed, 'community');
  const wholeSeconds = (ms: number): number => Math.floor(ms / SECOND) * SECOND;
  const holes = Array.from({ length: 40 }, (_hole, index): Stretch => {
    const from = since + wholeSeconds(((index + random.between(0.2, 0.6)) * (until - since)) / 40);
    return { from, to: from + wholeSeconds(random.between(2 * MINUTE, 9 * HOUR)) };
  });
  const ofDriver = (index: number): readonly DriverSession[] => {
    const joined = index % 3 === 0 ? since : since + random.next() * (until - since - 30 * DAY);
    const mean = ((sessions - most) / drivers) * 1.33;
    const count = index === 0 ? most : Math.ceil((mean * (until - joined)) / (until - since));
    const slot = (until - joined) / count;
    return Array.from({ length: count }, (_session, place) => {
      const from = wholeSeconds(joined + slot * (place + random.between(0, 0.3)));
      const length = Math.max(MINUTE, Math.min(slot * 0.6, random.between(2 * MINUTE, 90 * MINUTE)));
      return { driver: driverName(index), session: visit(from, from + wholeSeconds(length)) };
    }).flatMap((one) => seen(one, holes));
  };
  const visit = (from: number, to: number): Session => {
    const duty = { police: 0, medic: 0, tow: 0 };
    const role = random.pick(['police', 'medic', 'tow', null, null, null] as const);
    return {
      ...{ from, to, server: random.pick(servers), played: to - from, startKnown: true, endKnown: true },
      duty: role === null ? duty : { ...duty, [role]: to - from },
    };
  };
  const all = Array.from({ length: drivers }, (_driver, index) => ofDriver(index));
  return {
    ...{ since, until, holes },
    sessions: all.flat().sort((a, b) => a.session.from - b.session.from),
    readings: all.map((_own, index) => ({
      driver: driverName(index),
      readings: readings(random.next() * 4 * DAY + DAY, until),
    })),
  };
}

/** What happens within a hole is not seen, and neither is the end of what it cuts short. */
function seen({ driver, session }: DriverSession, holes: readonly Stretch[]): readonly DriverSession[] {
  const { from, to, duty } = session;
  const hole = holes.find((one) => one.from < to && one.to > from);
  if (hole === undefined) return [{ driver, session }];
  const [start, end] = hole.from > from ? [from, hole.from] : [hole.to, to];
  if (end - start < MINUTE) return [];
  const held = (ms: number): number => (ms > 0 ? end - start : 0);
  return [
    {
      driver,
      session: {
        ...{ ...session, from: start, to: end, played: end - start },
        duty: duty && { police: held(duty.police), medic: held(duty.medic), tow: held(duty.tow) },
        ...{ startKnown: start === from, endKnown: end === to },
      },
    },
  ];
}

function readings(every: number, until: number): readonly ProfileReading[] {
  const count = Math.floor((35 * DAY) / every);
  return Array.from({ length: count }, (_reading, index) => {
    const at = Math.floor((until - (count - index) * every) / SECOND) * SECOND;
    const grown = (index + 1) * (every / HOUR);
    const figures: Figures = {
      money: Math.round(1e6 + grown * 900),
      driven_distance: Math.round(1e8 + grown * 40_000),
      ...(index % 3 === 2 ? {} : { chases_won_cop: 500 + index }),
      ...{ chases_won_robber: 300 + index, gaming_time_total: 1e7 + index * 60 },
      gaming_time_cop: 1e6 + index * 30,
    };
    return { at, figures };
  });
}
