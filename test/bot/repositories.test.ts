/** The data about a person that all modules together store, over both kinds of store. */

import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { newBoardOptions, newBoardState } from '../../src/cards/board/board.ts';
import { defaultSettings } from '../../src/community/accounts/guild-settings.ts';
import { placeOf } from '../../src/messages/outbox/kinds.ts';
import { overEachStore } from '../store/over-each-store.ts';
import type { Opened } from '../store/support.ts';
import { outboxTo, rolesNotice } from '../support/messages.ts';
import { readStored } from '../support/personal-data.ts';
import { noStoredData } from '../support/stored-data.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const link = (username: string) => ({ username, since: NOW });
const own = (username: string) =>
  ({ username, since: NOW, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
/** Places in the ledger of messages. */
const DIRECT = `direct:${ANNA}`;
const CHANNEL = 'channel:7';
const claimed = (place: string) => ({
  key: 'k',
  place,
  watches: ['aaaaaa'],
  at: NOW,
  cooldown: 1000,
  most: 3,
});
const board = (channelId: string, madeBy = ANNA) => ({
  guildId: '1',
  channelId,
  madeBy,
  locale: 'de',
  colours: true,
  madeAt: NOW,
  removed: false,
  options: newBoardOptions,
});
const stored = async ({ documents }: Opened, personId: string) =>
  (await readStored(personId, documents)).file;

overEachStore((test) => {
  test('shows a person all that is stored of them, and forgets it to the last byte', async ({
    place,
    one,
    two,
  }) => {
    await one.links.set(ANNA, link('k3nny'));
    await one.links.set(BORIS, link('b0ris'));
    const correction = { guild: 'g', username: 'zoe', since: NOW };
    await one.links.correct(ANNA, correction);
    await one.links.correct(BORIS, { ...correction, username: null });
    await one.timeZones.set(ANNA, 'Europe/Berlin');
    await one.timeZones.set(BORIS, 'Asia/Kathmandu');
    for (const person of [ANNA, BORIS]) await one.profileLooks.set(person, true);
    await one.boards.add(board('7'));
    await one.boards.add(board('8', BORIS));
    await one.links.setPrivacy(ANNA, { unwatched: true });
    const proof = await one.proofs.begin(ANNA, { username: 'k3nny', card: 'app/secret', locale: 'de' }, NOW);
    if (typeof proof === 'number') throw new Error('it was begun');
    for (const at of [DIRECT, placeOf('slot-reminder', ANNA, 'direct'), CHANNEL])
      await one.deliveries.claim(claimed(at));
    const away = async () => {
      throw new Error('Discord opens no conversation');
    };
    const { outbox } = outboxTo(
      { post: away },
      { documents: one.documents, clock: { ...systemClock, now: () => NOW } },
    );
    expect(await outbox.send(rolesNotice(ANNA))).toBe('unsent');
    expect(await stored(two, ANNA)).toEqual({
      ...noStoredData,
      link: { ...own('k3nny'), unwatched: true },
      proof: { begun: [NOW], latest: { username: 'k3nny', code: proof.code, until: NOW + 600_000 } },
      corrections: [correction],
      sent: [
        { at: NOW, settled: false },
        { at: NOW, settled: false },
        { at: NOW, settled: false, content: 'a rule is paused' },
      ],
      timeZone: 'Europe/Berlin',
      profileAsPicture: true,
      boards: [{ guild: '1', channel: '7', since: NOW }],
    });
    expect((await place.holding(ANNA)).length).toBeGreaterThan(0);

    expect(await two.forgetNow(ANNA)).toEqual([]);
    expect(await place.holding(ANNA)).toEqual([]);
    expect(await two.deliveries.claim(claimed(CHANNEL))).toEqual([]);
    expect(await stored(one, ANNA)).toEqual(noStoredData);
    expect([...(await one.boards.all()).values()].map(({ madeBy }) => madeBy).toSorted()).toEqual([
      '',
      BORIS,
    ]);
    expect(await stored(one, BORIS)).toMatchObject({
      link: own('b0ris'),
      corrections: [{ username: null }],
      timeZone: 'Asia/Kathmandu',
      boards: [{ channel: '8' }],
    });
    expect(await one.links.set(BORIS, link('k3nny'))).toBe('linked');
    expect(await two.links.correct(BORIS, correction)).toEqual([BORIS]);
  });

  test('forgets a person in unreadable texts too, and nobody whose id begins alike', async ({
    place,
    one,
    two,
  }) => {
    const longer = `${ANNA}9`;
    await one.links.set(longer, link('b0ris'));
    await one.documents.commit(
      [],
      ['people', 'drivers', 'watches', 'deliveries', 'pause-notices', 'boards'].map((collection) => ({
        collection,
        key: 'damaged',
        text: `{"by":"${ANNA}`,
      })),
    );
    await two.forgetNow(ANNA);
    expect(await stored(one, longer)).toMatchObject({ link: own('b0ris') });
    await two.forgetNow(longer);
    expect(await place.holding(ANNA)).toEqual([]);
  });

  test('what cannot be read counts as what it would be without', async ({ one, two }) => {
    await one.links.set(ANNA, link('k3nny'));
    await one.guildSettings.change('1', { ...defaultSettings, colours: false });
    await one.boards.add(board('7'));
    await one.boards.saveState('7', { ...newBoardState, posted: '99' });
    for (const collection of ['people', 'guild-settings', 'board-states'])
      for (const key of (await one.documents.all(collection)).keys())
        await one.documents.commit([], [{ collection, key, text: '{"colours":' }]);
    expect(await two.links.of(ANNA)).toBeNull();
    expect(await two.guildSettings.of('1')).toEqual(defaultSettings);
    expect(await two.boards.all()).toEqual(new Map([['7', board('7')]]));
    expect(await two.boards.stateOf('7')).toEqual(newBoardState);
    expect(await two.links.set(ANNA, link('zoe'))).toBe('linked');
    expect(await one.links.of(ANNA)).toEqual(own('zoe'));
  });
});
