import { expect, test } from 'vitest';
import { createPauseNotices } from '../../../commands/alerts/jobs/pause-notices.ts';
import { newWatchState } from '../../../commands/alerts/models/observe.ts';
import { createWatches } from '../../../commands/alerts/models/watches.ts';
import privacy from '../../../commands/people/privacy.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { personalData } from '../../support/personal-data.ts';
import { channelWatch, directWatch } from './support/watches.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

test('exports and forgets alerts; those of channels stay without their maker', async () => {
  const { documents, fileOf, forget } = personalData();
  const watches = createWatches(documents);
  const notices = createPauseNotices(documents);
  const direct = directWatch('aaaaaa', { person: ANNA });
  const inChannel = channelWatch('bbbbbb', { person: ANNA, since: NOW - 1 });
  const reminder = directWatch('dddddd', { person: ANNA, since: NOW, once: { until: NOW, channel: '7' } });
  const theirs = [
    directWatch('cccccc', { person: BORIS, since: NOW }),
    channelWatch('eeeeee', {
      person: BORIS,
      since: NOW + 1,
      condition: { kind: 'duty', duty: 'police', atLeast: 1 },
    }),
  ];
  for (const watch of [direct, inChannel, reminder, ...theirs])
    await watches.add({ watch, state: newWatchState });
  await notices.leave(direct, 'closed');
  expect(await fileOf(ANNA)).toMatchObject({
    watches: [direct, inChannel, reminder].map((watch) => ({ ...watch, state: newWatchState })),
    pauseNotice: 'closed',
  });
  const before = await watches.all();
  await forget(ANNA);
  expect(await watches.all()).not.toBe(before);
  expect((await watches.all()).map(({ id, person }) => [id, person])).toEqual([
    ['bbbbbb', ''],
    ['cccccc', BORIS],
    ['eeeeee', BORIS],
  ]);
  expect(await notices.take(ANNA)).toBeNull();
});

test('reads an unreadable alert as none', async () => {
  const { documents } = personalData();
  const watches = createWatches(documents);
  const one = { watch: directWatch('aaaaaa'), state: newWatchState };
  await watches.add(one);
  for (const collection of ['watches', 'watch-states'])
    for (const key of (await documents.all(collection)).keys())
      await documents.commit([], [{ collection, key, text: '{"colours":' }]);
  const again = createWatches(documents);
  expect(await again.all()).toEqual([]);
  expect(await again.statesAt(new Set([`direct:${one.watch.person}`]))).toEqual(new Map());
  expect(await again.update(one.watch, (watch) => watch)).toBe(false);
  expect(await again.add(one)).toBe('added');
});

test('the file of /privacy has every time of an alert as a date', async () => {
  const people = peopleInMemory();
  const watch = directWatch('aaaaaa', {
    ...{ person: ANNA, since: NOW, snoozedUntil: NOW },
    paused: { why: 'closed', since: NOW },
  });
  await createWatches(people.documents).add({ watch, state: newWatchState });
  const [file] = (await privacy.run({}, contextOf({ ...people, person: { id: ANNA } }))).files ?? [];
  expect(file?.text.split(JSON.stringify(new Date(NOW).toISOString()))).toHaveLength(4);
  expect(file?.text).not.toMatch(/: \d{12}|^ +\d{12}/m);
});
