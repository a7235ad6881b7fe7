/** Belongings of servers that the bot has left: how long they stay, and what never goes. */
import { expect } from 'vitest';
import { newWatchState } from '../../commands/alerts/models/observe.ts';
import { createWatches } from '../../commands/alerts/models/watches.ts';
import { createConvoyRepository } from '../../commands/convoys/models/convoy-repository.ts';
import { createRecapRepository } from '../../commands/recap/models/stored.ts';
import { createRoleRules } from '../../commands/roles/models/role-rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { createLeftGuilds } from '../../src/bot/left-guilds.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import { refuseStranger } from '../../src/store/owner.ts';
import { channelWatch } from '../commands/alerts/support/watches.ts';
import { overFile } from '../store/over-each-store.ts';
import type { Opened } from '../store/support.ts';

const GUILD = '100000000000000001';
const START = Date.UTC(2026, 2, 5, 12);
const [OWN, OTHER] = [
  { id: '900000000000000001', takesStore: false },
  { id: '900000000000000002', takesStore: false },
];

const look = { locale: 'en-GB', colours: true };
let made = 0;

/** Everything that a server can own, and a bot that is in some servers. */
function setUp({ documents, boards, guildSettings: settings }: Opened, application = OWN) {
  const watches = createWatches(documents);
  const rules = createRoleRules(documents);
  const convoyRepository = createConvoyRepository(documents);
  const recaps = createRecapRepository(documents);
  const belongings = {
    boards,
    settings,
    alerts: watches,
    roles: rules,
    convoys: convoyRepository,
    recap: {
      ...recaps,
      guilds: async () => (state.isRecapReadable ? recaps.guilds() : Promise.reject(new Error('unreadable'))),
    },
  };
  const state = {
    isRecapReadable: true,
    now: START,
    isClockRight: true as boolean | null,
    holds: true,
    /** By guild; the others are left. */
    stays: new Map<string, number | null>([[GUILD, START - DAY]]),
    /** Discord says that the bot is still a member. */
    isMember: false,
  };
  const lines: object[] = [];
  const log = (...[fields, message = '']: readonly [object | string, string?]) =>
    void lines.push(typeof fields === 'string' ? { message: fields } : { ...fields, message });
  const check = createLeftGuilds({
    ...{ documents, belongings, application },
    connection: {
      stayedSince: (guild) =>
        state.stays.get(guild) ?? (state.stays.has(guild) ? null : Number.POSITIVE_INFINITY),
      hasLeft: async () => !state.isMember,
      isClockRight: async () => state.isClockRight,
    },
    holds: () => state.holds,
    clock: { now: () => state.now },
    log: { info: log, warn: log } as never,
  });
  /** Hourly checks for so long. */
  const pass = async (ms: number): Promise<void> => {
    for (const end = state.now + ms; state.now < end; ) {
      state.now = Math.min(end, state.now + Math.max(HOUR, Math.floor(ms / 50)));
      await check();
    }
  };

  /** One of each kind, made at that time by the clock of this machine. */
  async function make(at: number, guild = GUILD): Promise<void> {
    made += 1;
    const id = String(made).padStart(6, '0');
    const [channel, role] = [`${guild}${id}`, `5${id}`];
    const place = { kind: 'channel', guild, channel, role: null } as const;
    await watches.add({ watch: channelWatch(id, { place, since: at, person: id }), state: newWatchState });
    const rule = { role, when: { kind: 'proved' }, keep: false, linked: false, madeBy: '' } as const;
    await rules.put(guild, { ...rule, locale: 'en-GB', since: at, paused: null, ending: false });
    await rules.setHolders(guild, role, { [id]: { state: 'held', joined: '' } });
    const draft = {
      ...{
        id: `1792780000${id}`,
        guild,
        channel,
        madeAt: at,
        at: at + HOUR,
        when: 'in an hour',
        title: 'Run',
      },
      ...{ server: 'two', zone: 'UTC', hours: 1, places: null, weekly: true, role: null },
    };
    await convoyRepository.putDraft(id, draft);
    await convoyRepository.announce(id, draft, look, at);
    const result = { there: [{ person: id }], hidden: 0, peak: 1, known: true, holes: [], usual: null };
    await convoyRepository.finish(guild, draft.id, result, at + 2 * HOUR, `1792780001${id}`);
    await recaps.choose(guild, {
      channel,
      isWeekly: true,
      isMonthly: true,
      madeBy: id,
      locale: 'en-GB',
      since: at,
    });
    await boards.add({
      ...{
        guildId: guild,
        channelId: channel,
        madeBy: id,
        madeAt: at,
        removed: false,
        options: newBoardOptions,
      },
      ...look,
    });
    await settings.change(guild, { language: 'fr' });
    const key = { collection: 'guild-settings', key: guild };
    const stored = await documents.read(key.collection, key.key);
    const text = JSON.stringify({ ...JSON.parse(stored.text ?? ''), since: at });
    await documents.commit([], [{ ...key, text }]);
  }

  /** What the guild has of each kind. */
  const owned = async (guild = GUILD) => ({
    alerts: (await watches.in(guild)).length,
    roles: (await rules.of(guild)).length,
    convoys: (await convoyRepository.in(guild)).length,
    results: (await convoyRepository.past(guild)).length,
    recap: (await recaps.postsIn(guild)) === null ? 0 : 1,
    boards: [...(await boards.served((one) => one === guild)).values()].filter(({ removed }) => !removed)
      .length,
    settings: (await settings.of(guild)).language === null ? 0 : 1,
  });
  return { state, lines, check, pass, make, owned, rules, recaps };
}

const one = { alerts: 1, roles: 1, convoys: 2, results: 1, recap: 1, boards: 1, settings: 1 };
const two = { alerts: 2, roles: 2, convoys: 4, results: 2, recap: 1, boards: 2, settings: 1 };
const nothing = { alerts: 0, roles: 0, convoys: 0, results: 0, recap: 0, boards: 0, settings: 0 };

overFile((test) => {
  test('all that a server owns stays for thirty days, then goes and is counted', async ({ one: store }) => {
    const { state, lines, check, pass, make, owned, rules } = setUp(store);
    await make(START - DAY);
    await check();
    expect(lines).toEqual([]);
    state.stays.clear();
    await check();
    const kinds = ['boards', 'settings', 'alerts', 'roles', 'convoys', 'recap'];
    expect(lines).toMatchObject([{ guild: GUILD, kinds, until: new Date(START + 30 * DAY).toISOString() }]);
    await pass(30 * DAY - MINUTE);
    expect([await owned(), lines.length]).toEqual([one, 1]);
    await pass(MINUTE);
    expect(await owned()).toEqual(nothing);
    expect(await rules.about(String(made).padStart(6, '0'))).toBeNull();
    const counts = { boards: 1, settings: 1, alerts: 1, roles: 1, convoys: 3, recap: 1 };
    expect(lines.slice(1)).toMatchObject([{ guild: GUILD, ...counts }]);
    await pass(90 * DAY);
    expect(lines).toHaveLength(2);
  });

  test.for([
    ['12 s', 12 * SECOND],
    ['29 days', 29 * DAY],
  ] as const)(
    'a server that invites the bot again after %s loses nothing',
    async ([, absence], { one: store }) => {
      const { state, check, pass, make, owned } = setUp(store);
      await make(START - DAY);
      await check();
      state.stays.clear();
      await check();
      await pass(absence);
      state.stays.set(GUILD, state.now);
      await make(state.now);
      await pass(100 * DAY);
      expect(await owned()).toEqual(two);
      // Another absence counts from its own beginning.
      state.stays.clear();
      await pass(29 * DAY);
      expect(await owned()).toEqual(two);
    },
  );

  test.for([
    ['right', 0],
    ['two hours behind', -2 * HOUR],
    ['two hours ahead', 2 * HOUR],
  ] as const)(
    'only what is from before a long absence goes, by a clock that is %s',
    async ([, skew], { one: store }) => {
      const { state, check, pass, make, owned, rules } = setUp(store);
      await make(START - DAY);
      await check();
      state.stays.clear();
      await check();
      await pass(29 * DAY);
      // No process runs for two days.
      state.now += 2 * DAY;
      state.stays.set(GUILD, state.now - skew);
      await make(state.now + MINUTE);
      const newRole = (await rules.of(GUILD)).at(-1)?.role;
      await pass(DAY);
      expect(await owned()).toEqual(one);
      expect((await rules.of(GUILD)).map(({ role }) => role)).toEqual([newRole]);
      await pass(60 * DAY);
      expect(await owned()).toEqual(one);
    },
  );

  test.for([
    ['Discord says that the bot is a member', { isMember: true }],
    ["the clock is hours away from Discord's", { isClockRight: false }],
    ["Discord's clock is not known", { isClockRight: null }],
    ['another process has its shard', { holds: false }],
    ['its shard is not connected', { stays: new Map([[GUILD, null]]) }],
  ] as const)('nothing goes while %s', async ([, change], { one: store }) => {
    const { state, check, pass, make, owned } = setUp(store);
    await make(START - DAY);
    await check();
    state.stays.clear();
    await check();
    Object.assign(state, change);
    await pass(60 * DAY);
    expect(await owned()).toEqual(one);
  });

  test.for([
    ['one', 4, 1],
    ['a fifth', 11, 2],
  ] as const)('%s of the servers are cleaned a day at most', async ([, count, perDay], { one: store }) => {
    const { state, lines, check, pass, make } = setUp(store);
    const guilds = Array.from({ length: count }, (_, index) => String(BigInt(GUILD) + BigInt(index)));
    for (const guild of guilds) await make(START - DAY, guild);
    await check();
    state.stays.clear();
    await check();
    const cleaned = () => lines.filter((line) => 'convoys' in line).length;
    await pass(30 * DAY);
    expect(cleaned()).toBe(perDay);
    await pass(23 * HOUR);
    expect(cleaned()).toBe(perDay);
    await pass(HOUR);
    expect(cleaned()).toBeLessThanOrEqual(2 * perDay);
    expect(cleaned()).toBeGreaterThan(perDay);
    await pass(count * DAY);
    expect(cleaned()).toBe(count);
  });

  test('a kind that cannot be read holds up no other, and no mark of an absence', async ({ one: store }) => {
    const { state, check, pass, make, owned, recaps } = setUp(store);
    await make(START - DAY);
    await check();
    state.stays.clear();
    await check();
    const recapOnly = '100000000000000002';
    const weekly = { channel: '5', isWeekly: true, isMonthly: false };
    await recaps.choose(recapOnly, { ...weekly, madeBy: null, locale: 'en-GB', since: START - DAY });
    await check();
    state.isRecapReadable = false;
    state.now += 30 * DAY;
    await expect(check()).rejects.toThrow('the servers of recap cannot be read');
    expect(await owned()).toEqual(nothing);
    state.isRecapReadable = true;
    await pass(DAY);
    expect(await recaps.postsIn(recapOnly)).toBeNull();
  });

  test('another application is refused, and deletes nothing until it gets the store', async ({
    one: store,
    two: sameStore,
  }) => {
    const first = setUp(store);
    await first.make(START - DAY);
    await first.check();
    await expect(refuseStranger(sameStore.documents, OWN)).resolves.toBeUndefined();
    const refusal = refuseStranger(sameStore.documents, OTHER);
    await expect(refusal).rejects.toMatchObject({ name: 'StartError', exitCode: 78 });
    await expect(refusal).rejects.toThrow(
      `application ${OTHER.id}, and the store to the application ${OWN.id}; use a token of ${OWN.id} or another STORE_URL, or set STORE_APPLICATION=${OTHER.id}`,
    );
    const stranger = setUp(sameStore, OTHER);
    stranger.state.stays.clear();
    await stranger.pass(60 * DAY);
    expect(await first.owned()).toEqual(one);
    const heir = setUp(sameStore, { ...OTHER, takesStore: true });
    await expect(
      refuseStranger(sameStore.documents, { ...OTHER, takesStore: true }),
    ).resolves.toBeUndefined();
    await heir.check();
    await expect(refuseStranger(sameStore.documents, OTHER)).resolves.toBeUndefined();
    await expect(refuseStranger(sameStore.documents, OWN)).rejects.toThrow(OTHER.id);
  });

  test('a store that names servers and no application is taken by a bot of one of them', async ({
    one: store,
    two: sameStore,
  }) => {
    const stranger = setUp(store, OTHER);
    stranger.state.stays.clear();
    await stranger.make(START - DAY);
    await stranger.pass(60 * DAY);
    expect(await stranger.owned()).toEqual(one);
    expect(stranger.lines).toHaveLength(1);
    await expect(refuseStranger(store.documents, OWN)).resolves.toBeUndefined();
    await setUp(sameStore).check();
    await expect(refuseStranger(store.documents, OTHER)).rejects.toThrow(OWN.id);
  });
});
