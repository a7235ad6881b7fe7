/** The data about a person that all modules together store, over both kinds of store. */

import { expect } from 'vitest';
import { defaultSettings } from '../../src/accounts/guild-settings.ts';
import { storedData } from '../../src/accounts/own-data.ts';
import { systemClock } from '../../src/base/clock.ts';
import { collections } from '../../src/bot/collections.ts';
import { reminderPlace } from '../../src/deliveries/ledger.ts';
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { placeKey, type Watch } from '../../src/features/alerts/watch.ts';
import { createConvoyRepository } from '../../src/features/convoys/convoy-repository.ts';
import { createRecapRepository } from '../../src/features/recap/stored.ts';
import { createRoleFigures } from '../../src/features/roles/figures.ts';
import { createRoleRules } from '../../src/features/roles/role-rules.ts';
import { newBoardOptions, newBoardState } from '../../src/service/models/board.ts';
import { channelWatch, directWatch } from '../features/alerts/support/watches.ts';
import { newRule } from '../features/roles/support/world.ts';
import { overEachStore } from '../store/over-each-store.ts';
import type { Opened } from '../store/support.ts';
import { noticesOver } from '../support/messages.ts';
import { noStoredData } from '../support/stored-data.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const link = (username: string) => ({ username, since: NOW });
const own = (username: string) =>
  ({ username, since: NOW, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
const watching = (watch: Watch) => ({ watch, state: newWatchState });
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
const convoy = {
  ...{ id: '0000000000000001', guild: '1', channel: '7', madeAt: NOW, title: 'Night drive', server: 'two' },
  ...{ zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null },
  ...{ when: 'tomorrow 20:00', at: NOW + 24 * 3600_000 },
};
const { when: _when, ...planned } = convoy;
const { id, guild, title, server, at } = convoy;
const identity = { id, guild, title, server, at };
const stored = async ({ documents }: Opened, personId: string) =>
  (await storedData(personId, documents, collections)).file;

overEachStore((test) => {
  test('shows a person all that is stored of them, and forgets it to the last byte', async ({
    place,
    one,
    two,
  }) => {
    const convoys = createConvoyRepository(one.documents);
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
    const direct = directWatch('aaaaaa', { person: ANNA });
    const inChannel = channelWatch('bbbbbb', { person: ANNA, since: NOW - 1 });
    const reminder = directWatch('dddddd', { person: ANNA, since: NOW, once: { until: NOW, channel: '7' } });
    for (const watch of [direct, inChannel, reminder]) await one.watches.add(watching(watch));
    await one.watches.add(watching(directWatch('cccccc', { person: BORIS, since: NOW })));
    await one.watches.add(
      watching(channelWatch('eeeeee', { person: BORIS, since: NOW + 1, condition: { kind: 'digest' } })),
    );
    await one.links.setPrivacy(ANNA, { unwatched: true });
    const proof = await one.proofs.begin(ANNA, { username: 'k3nny', card: 'app/secret', locale: 'de' }, NOW);
    if (typeof proof === 'number') throw new Error('it was begun');
    await one.pauseNotices.leave(ANNA, 'closed');
    for (const at of [placeKey(direct), reminderPlace(ANNA), placeKey(inChannel)])
      await one.deliveries.claim(claimed(at));
    const away = async () => {
      throw new Error('Discord opens no conversation');
    };
    const { notify } = noticesOver(
      { post: away },
      { documents: one.documents, clock: { ...systemClock, now: () => NOW } },
    );
    const notice = { personId: ANNA, kind: 'roles', content: 'a notice', key: '1' } as const;
    expect(await notify(notice)).toBe('unsent');
    const rule = { ...newRule, madeBy: ANNA };
    const { madeBy: _madeBy, ...ownRule } = rule;
    await createRoleRules(one.documents).put('1', rule);
    const holder = { state: 'held', joined: '2026-01-01T00:00:00Z' } as const;
    await createRoleRules(one.documents).setHolders('1', rule.role, { [ANNA]: holder, [BORIS]: holder });
    const figures = { driver: 'k3nny', asOf: NOW, hours: 1, km: 2, policeXp: null, licences: null };
    await createRoleFigures(one.documents).save(ANNA, figures);
    await createRecapRepository(one.documents).setKeptDriver(ANNA, 'k3nny');
    await convoys.putDraft(ANNA, convoy);
    await convoys.announce(ANNA, convoy, { locale: 'de', colours: true }, NOW);
    await convoys.press('1', convoy.id, ANNA, 'in', NOW);
    await convoys.press('1', convoy.id, BORIS, 'in', NOW);
    await convoys.putDraft(ANNA, { ...convoy, id: '0000000000000002' });
    const past = { ...convoy, id: '0000000000000003' };
    await convoys.putDraft(BORIS, past);
    await convoys.announce(BORIS, past, { locale: 'de', colours: true }, NOW);
    const there = [{ person: ANNA }, { person: BORIS }];
    for (const { person } of there) await convoys.press('1', past.id, person, 'in', NOW);
    const counts = { hidden: 0, peak: null, known: true, holes: [], usual: null };
    await convoys.finish('1', past.id, { ...counts, there }, NOW, '0000000000000004');
    for (const { name } of collections.filter(({ person }) => person !== null))
      expect([...(await one.documents.all(name))].flat().join(' '), name).toContain(ANNA);
    const before = await one.watches.all();
    expect(await stored(two, ANNA)).toEqual({
      link: { ...own('k3nny'), unwatched: true },
      proof: { begun: [NOW], latest: { username: 'k3nny', code: proof.code, until: NOW + 600_000 } },
      corrections: [correction],
      watches: [direct, inChannel, reminder].map((watch) => ({ ...watch, state: newWatchState })),
      sent: [
        { at: NOW, settled: false },
        { at: NOW, settled: false },
        { at: NOW, settled: false, content: 'a notice' },
      ],
      pauseNotice: 'closed',
      timeZone: 'Europe/Berlin',
      profileAsPicture: true,
      roles: { known: [{ guild: '1', role: rule.role, ...holder }], made: [{ guild: '1', ...ownRule }] },
      figures,
      keepsMonths: { keeps: true, driver: 'k3nny' },
      boards: [{ guild: '1', channel: '7', since: NOW }],
      convoys: {
        made: [
          {
            ...{ ...planned, locale: 'de', colours: true },
            ...{ stage: 'open', since: NOW, event: null },
          },
        ],
        draft: { ...convoy, id: '0000000000000002' },
        // In no particular order.
        signedUp: expect.arrayContaining([
          { ...identity, channel: '7', answer: 'in', remind: false },
          { ...identity, id: '0000000000000003', channel: '7', answer: 'in', remind: false },
        ]),
        there: [{ ...identity, id: '0000000000000003', channel: '7' }],
      },
    });
    expect(place.holding(ANNA).length).toBeGreaterThan(0);

    expect(await two.forgetNow(ANNA)).toEqual([]);
    expect(place.holding(ANNA)).toEqual([]);
    expect(await one.watches.all()).not.toBe(before);
    expect((await two.watches.all()).map(({ id, person }) => [id, person])).toEqual([
      ['bbbbbb', ''],
      ['cccccc', BORIS],
      ['eeeeee', BORIS],
    ]);
    expect(await two.deliveries.claim(claimed(placeKey(inChannel)))).toEqual([]);
    expect(await stored(one, ANNA)).toEqual(noStoredData);
    expect((await convoys.in('1')).map(({ title, madeBy }) => [title, madeBy])).toEqual([
      ['Night drive', ''],
      ['Night drive', BORIS],
    ]);
    expect((await convoys.signUpsOf('1', convoy.id)).map(({ person }) => person)).toEqual([BORIS]);
    expect(await one.pauseNotices.take(ANNA)).toBeNull();
    expect(await createRoleRules(one.documents).of('1')).toEqual([{ ...rule, madeBy: '' }]);
    expect(await createRoleRules(one.documents).holders('1', rule.role)).toEqual({ [BORIS]: holder });
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
    await one.watches.add(watching(channelWatch('aaaaaa', { person: longer })));
    await one.documents.commit(
      [],
      ['people', 'drivers', 'watches', 'deliveries', 'pause-notices', 'boards'].map((collection) => ({
        collection,
        key: 'damaged',
        text: `{"by":"${ANNA}`,
      })),
    );
    await two.forgetNow(ANNA);
    expect(await stored(one, longer)).toMatchObject({ link: own('b0ris'), watches: [{ person: longer }] });
    await two.forgetNow(longer);
    expect(place.holding(ANNA)).toEqual([]);
  });

  test('what cannot be read counts as what it would be without', async ({ one, two }) => {
    await one.links.set(ANNA, link('k3nny'));
    await one.guildSettings.change('1', { ...defaultSettings, colours: false });
    await one.watches.add(watching(directWatch('aaaaaa')));
    await one.boards.add(board('7'));
    await one.boards.saveState('7', { ...newBoardState, posted: '99' });
    for (const collection of ['people', 'guild-settings', 'watches', 'watch-states', 'board-states'])
      for (const key of (await one.documents.all(collection)).keys())
        await one.documents.commit([], [{ collection, key, text: '{"colours":' }]);
    expect(await two.links.of(ANNA)).toBeNull();
    expect(await two.guildSettings.of('1')).toEqual(defaultSettings);
    expect(await two.watches.all()).toEqual([]);
    expect(await two.watches.statesAt(new Set([`direct:${ANNA}`, 'direct:11']))).toEqual(new Map());
    expect(await two.watches.update(directWatch('aaaaaa'), (watch) => watch)).toBe(false);
    expect(await two.boards.all()).toEqual(new Map([['7', board('7')]]));
    expect(await two.boards.stateOf('7')).toEqual(newBoardState);
    expect(await two.links.set(ANNA, link('zoe'))).toBe('linked');
    expect(await one.links.of(ANNA)).toEqual(own('zoe'));
    expect(await two.watches.add(watching(directWatch('aaaaaa')))).toBe('added');
  });
});
