/** What the live files say of a driver now goes before what a record said minutes ago. */
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/duration.ts';
import { findPresence, profilePast, withIssuers, withNewestName } from '../../src/command-kit/past.ts';
import type { Session } from '../../src/community/history/history.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { LiveStatus } from '../../src/service/models/live-status.ts';
import { noHistory } from '../support/no-history.ts';
import { noNames } from '../support/no-names.ts';
import { answer, driver, NOON } from '../support/records.ts';

/** The record is five minutes old. */
const now = NOON + 5 * MINUTE;

function fileOf(...names: readonly (string | null)[]) {
  const ps = Object.fromEntries(names.map((un, index) => [index, { p: String(index), un, nn: un }]));
  return { record: LiveStatus.parse({ n: 'x', t: now / SECOND, ps }), asOf: now - 2 * SECOND };
}

const empty = fileOf();
const files = { one: fileOf('Ann', 'K3NNY'), two: empty, three: empty, four: empty };
const nobody = { ...files, one: fileOf('Ann') };

function overviewOf(events: number | null, asOf = now - MINUTE / 2) {
  const servers = ['One', 'Two', 'Three', 'Four', 'Events'].map((name) => ({
    ...{ name, online: true, track: null, trackName: null, maxGuests: 40 },
    guests: name === 'Events' ? events : 0,
  }));
  return { record: servers, asOf };
}

const session = {
  ...{ server: 'one', from: NOON - 60 * MINUTE, to: NOON + 3 * MINUTE, played: 0, duty: null },
  ...{ startKnown: true, endKnown: true },
} as const satisfies Session;

interface Sources {
  readonly live?: typeof files;
  readonly overview?: ReturnType<typeof overviewOf> | null;
  readonly open?: readonly Session[];
  readonly isHidden?: boolean;
  readonly online?: boolean | null;
  /** When the record was true. */
  readonly asOf?: number;
}

function presence({
  live = files,
  overview = overviewOf(0),
  open = [],
  isHidden = false,
  online = true,
  asOf = NOON,
}: Sources) {
  const { history, hidden } = noHistory;
  return findPresence(
    { ...answer(driver({ isOnline: online })), asOf },
    {
      poll: { facts: { ...noFacts, live, overview } },
      history: { ...history, openSessions: async () => open },
      hidden: { ...hidden, isHidden: () => isHidden },
      now,
    },
  );
}

describe('a driver', () => {
  test('in a live file is on that server since the session began, despite the record', async () => {
    for (const online of [true, false, null]) {
      expect(await presence({ online })).toEqual({ server: 'one', since: null });
      expect(await presence({ online, open: [session] })).toEqual({ server: 'one', since: session });
    }
    // A session on another server is an earlier one.
    expect(await presence({ open: [{ ...session, server: 'two' }] })).toEqual({ server: 'one', since: null });
  });

  test('in none of them was last seen by the record, or in the session after it', async () => {
    expect(await presence({ live: nobody })).toEqual({ server: null, lastSeen: NOON });
    expect(await presence({ live: nobody, online: false })).toEqual({
      server: null,
      lastSeen: driver().lastSeen,
    });
    expect(await presence({ live: nobody, open: [session] })).toEqual({ server: null, lastSeen: session.to });
  });

  test('may be on a server whose live file is missing, nameless or stands still', async () => {
    const old = { ...empty, asOf: now - MINUTE };
    for (const sources of [
      { overview: overviewOf(3) },
      { overview: overviewOf(null) },
      { overview: null },
      { overview: overviewOf(0, NOON - SECOND) },
      { live: { ...nobody, two: fileOf(null, null) } },
      // Newer than the files.
      { overview: overviewOf(0, now), asOf: now - SECOND },
    ])
      expect(await presence({ live: nobody, ...sources })).toBeNull();
    expect(
      await presence({ live: { ...files, one: { ...files.one, asOf: old.asOf } }, overview: null }),
    ).toBeNull();
  });

  test('who is hidden is nowhere: not even absent', async () => {
    expect(await presence({ isHidden: true })).toBeNull();
    expect(await presence({ isHidden: true, live: nobody })).toBeNull();
  });

  test('has its time online from live files that name drivers, or else its profile', async () => {
    const figures = { driven_distance: 5, gaming_time_total: 60 };
    const figuresWhen = async (isNamed: boolean | null) => {
      const earlierReading = async () => ({ at: NOON - MINUTE, figures });
      const past = await profilePast('ann', {
        ...noHistory.history,
        ...{ earlierReading, namesDrivers: async () => isNamed },
      });
      return past?.earlier?.figures;
    };
    expect(await figuresWhen(true)).toEqual({ driven_distance: 5 });
    for (const isNamed of [false, null]) expect(await figuresWhen(isNamed)).toEqual(figures);
  });

  test('has the issuers of its licences by name, where their own profiles were read', () => {
    const licences = ['4', 'mad_max', 0].map((issuedBy) => ({ type: 'cop', issuedBy }));
    const recentNames = { ...noNames, playerWithId: (id: string) => (id === '4' ? 'Chuck' : null) };
    const { record } = withIssuers(answer(driver({ licenses: licences })), { recentNames });
    expect(record.licences?.map(({ issuedBy }) => issuedBy)).toEqual(['Chuck', 'mad_max', null]);
    expect(withIssuers(answer(driver({ licenses: null })), { recentNames }).record.licences).toBeNull();
  });

  test('has the newest in-game name that any answer had', () => {
    const shown = answer(driver({ nickname: '^1Old' }));
    const named = (nickname: string | null) =>
      withNewestName(shown, { recentNames: { ...noNames, nicknameOf: () => nickname } });
    expect(named('^2New').record.nickname).toBe('^2New');
    expect(named(null)).toBe(shown);
    expect(named('^1Old')).toBe(shown);
  });
});
