import { createPauseNotices } from '../../../../commands/alerts/jobs/pause-notices.ts';
import { createWatchRounds } from '../../../../commands/alerts/jobs/watch-rounds.ts';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import type { Condition, Watch } from '../../../../commands/alerts/models/watch.ts';
import { createWatches, statesByPlace, watchesByPlace } from '../../../../commands/alerts/models/watches.ts';
import { createRuns } from '../../../../src/base/runs.ts';
import { changeDocuments } from '../../../../src/store/change.ts';
import { sqlitePlace } from '../../../store/support.ts';
import { openTo, outboxOver } from '../../../support/messages.ts';
import { liveFile, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';
import { channelWatch, unrestricted } from '../support/watches.ts';

const EACH = 20;

/** A fifth of each kind; of cars and of the own driver, as many as there are alerts. */
export function oneOfEachKind(index: number): Condition {
  const at = index % EACH;
  const name = (['one', 'two', 'three', 'four'] as const)[at % 4] ?? 'one';
  const kinds: readonly Condition[] = [
    { kind: 'server', server: name, free: null, drivers: 2 + at },
    { kind: 'duty', duty: 'police', atLeast: 1 + at },
    { kind: 'driver', player: `driver ${index % 2000}` },
    { kind: 'car', vin: (46_656 + index).toString(36).padStart(5, '0').toUpperCase(), below: null },
    { kind: 'mine', player: `owner ${index}`, below: 50 },
  ];
  return kinds[at % kinds.length] ?? { kind: 'mine', player: `owner ${index}`, below: 50 };
}

/** So many alerts, twenty in each channel, over the file store, with live files that name drivers. */
export async function openAlerts(count: number, conditionOf: (index: number) => Condition) {
  const place = await sqlitePlace();
  const store = await place.open();
  const watches = createWatches(store.documents);
  let now = Date.UTC(2026, 2, 5, 12);

  const watchesIn = (channel: number): readonly Watch[] =>
    Array.from({ length: EACH }, (_, at) =>
      channelWatch((2_000_000_000 + channel * EACH + at).toString(36), {
        place: { kind: 'channel', guild: `${channel % 50}`, channel: `${channel}`, role: null },
        condition: conditionOf(channel * EACH + at),
        atNight: true,
      }),
    );
  await changeDocuments(store.documents, async (transaction) => {
    for (let channel = 0; channel < count / EACH; channel += 1) {
      const key = `channel:${channel}`;
      await transaction.read(watchesByPlace, key);
      transaction.write(watchesByPlace, key, watchesIn(channel));
      await transaction.read(statesByPlace, key);
      const states = watchesIn(channel).map(({ id }) => [id, newWatchState] as const);
      transaction.write(statesByPlace, key, Object.fromEntries(states));
    }
  });

  let records = read(1);

  /** So many drive on each server; nobody watches them. */
  function read(driving: number) {
    const player = (at: number) => [`${at}`, { un: `other ${at}`, cop: true, u: at }];
    const file = (from: number) => {
      const ps = Object.fromEntries(Array.from({ length: driving }, (_, at) => player(from + at)));
      return { ...liveFile({ n: 'One', t: now, ps }), time: null };
    };
    const overview = servers({ one: { online: true, guests: driving, maxGuests: 900 } });
    return { overview, one: file(0), two: file(500), three: file(1000), four: file(1500) };
  }

  /** Lets so many milliseconds pass; reads everything again if the number of drivers is given. */
  function pass(ms: number, driving: number | null = null): void {
    now += ms;
    if (driving !== null) records = read(driving);
  }

  const translatorFor = createTranslators();
  const clock = { now: () => now, monotonic: () => now, after: () => () => {} };
  const runs = createRuns(clock, (error) => {
    throw error;
  });
  const { outbox } = outboxOver(
    openTo(async () => 'sent'),
    { clock, documents: store.documents, deliveries: store.deliveries },
  );
  const { round } = createWatchRounds({
    ...unrestricted,
    watches,
    pauseNotices: createPauseNotices(store.documents),
    clock,
    runs,
    poll: {
      get facts() {
        const { overview, one, two, three, four } = records;
        const at = <Read>(record: Read) => ({ record, asOf: now });
        const live = { one: at(one), two: at(two), three: at(three), four: at(four) };
        return { overview: at(overview), live, chat: null };
      },
      watch: () => () => {},
    },
    outbox,
    translatorOf: async ({ locale }) => translatorFor(locale),
  });
  return {
    pass,
    async round() {
      await round();
      await outbox.round();
      await runs.idle();
    },
    end: place.end,
  };
}
