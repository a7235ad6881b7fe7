/**
 * What it costs to read and change what people have decided, in a file and in a Redis on this machine:
 * `npm run bench -- documents`.
 */
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { directWatch } from '../features/alerts/support/watches.ts';
import { type Opened, redisPlace, sqlitePlace } from '../store/support.ts';
import { hasRedis } from '../support/requirements.ts';

const TIMES = 300;

type Work = (store: Opened, index: number) => Promise<unknown>;

const person = (index: number): string => `${281_474_976_710_000 + index}`;
const watch = (index: number) => directWatch(String(100_000 + index), { person: person(index) });

const works: Readonly<Record<string, Work>> = {
  'a link, set': ({ links }, index) =>
    links.set(person(index), { username: `driver ${index}`, since: index }),
  'a link, read in a server': ({ links }, index) => links.of(person(index), '1'),
  'a correction': ({ links }, index) =>
    links.correct(person(index), { guild: '1', username: `other ${index}`, since: index }),
  'a setting, changed': ({ guildSettings }, index) => guildSettings.change('1', { colours: index % 2 === 0 }),
  'settings, read': ({ guildSettings }) => guildSettings.of('1'),
  'an alert, set': ({ watches }, index) => watches.add({ watch: watch(index), state: newWatchState }),
  'an alert, snoozed': ({ watches }, index) =>
    watches.update(watch(index), (one) => ({ ...one, snoozedUntil: index })),
  'a message, claimed and settled': async ({ deliveries }, index) => {
    const place = `direct:${index}`;
    await deliveries.claim({ key: 'k', place, watches: ['a'], at: index, cooldown: 0, most: 9 });
    await deliveries.settle(place, 'k');
  },
  'no notice': ({ pauseNotices }, index) => pauseNotices.take(person(index)),
};

for (const open of hasRedis ? [sqlitePlace, redisPlace] : [sqlitePlace]) {
  const place = await open();
  const store = await place.open();
  console.log(`${place.name}, ms`.padEnd(34), 'p50'.padStart(7), 'p90'.padStart(7));
  for (const [what, work] of Object.entries(works)) {
    const times: number[] = [];
    for (let index = 0; index < TIMES; index += 1) {
      const begun = performance.now();
      await work(store, index);
      times.push(performance.now() - begun);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(TIMES * share)] ?? Number.NaN).toFixed(3);
    console.log(what.padEnd(34), at(0.5).padStart(7), at(0.9).padStart(7));
  }
  await place.end();
}
