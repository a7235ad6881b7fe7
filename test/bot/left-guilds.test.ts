/** Belongings of servers that the bot has left: how long they stay, and what never goes. */
import { expect } from 'vitest';
import { features } from '../../commands/subjects.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { createLeftGuilds } from '../../src/bot/left-guilds.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { Feature } from '../../src/features/feature.ts';
import { refuseStranger } from '../../src/store/owner.ts';
import { overFile } from '../store/over-each-store.ts';
import type { Opened } from '../store/support.ts';
import { guildDataOfFeatures } from '../support/guild-data.ts';

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
  const data = Object.entries(guildDataOfFeatures).map(([name, create]) => ({ name, ...create(documents) }));
  const belongings = {
    boards,
    settings: {
      ...settings,
      guilds: async () =>
        state.areSettingsReadable ? settings.guilds() : Promise.reject(new Error('unreadable')),
    },
    ...Object.fromEntries(data.map(({ name, belongings: ofFeature }) => [name, ofFeature])),
  };
  const state = {
    areSettingsReadable: true,
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
    const channel = `${guild}${id}`;
    for (const ofFeature of data) await ofFeature.make({ guild, channel, id, at });
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
    await makeSettings(at, guild);
  }

  async function makeSettings(at: number, guild: string): Promise<void> {
    await settings.change(guild, { language: 'fr' });
    const key = { collection: 'guild-settings', key: guild };
    const stored = await documents.read(key.collection, key.key);
    const text = JSON.stringify({ ...JSON.parse(stored.text ?? ''), since: at });
    await documents.commit([], [{ ...key, text }]);
  }

  const boardsIn = async (guild: string): Promise<readonly string[]> =>
    [...(await boards.served((one) => one === guild)).values()].flatMap(({ removed, channelId }) =>
      removed ? [] : [channelId],
    );

  /** What the guild has of each kind. */
  const owned = async (guild = GUILD): Promise<Readonly<Record<string, number>>> => ({
    boards: (await boardsIn(guild)).length,
    settings: (await settings.of(guild)).language === null ? 0 : 1,
    ...Object.fromEntries(
      await Promise.all(data.map(async ({ name, count }) => [name, await count(guild)] as const)),
    ),
  });
  return { state, lines, check, pass, make, makeSettings, owned, boardsIn };
}

const kinds = ['boards', 'settings', ...Object.keys(guildDataOfFeatures)];
const nothing = Object.fromEntries(kinds.map((kind) => [kind, 0]));

overFile((test) => {
  test('all that a server owns stays for thirty days, then goes and is counted', async ({ one: store }) => {
    const { state, lines, check, pass, make, owned } = setUp(store);
    await make(START - DAY);
    const one = await owned();
    expect(Object.entries(one).filter(([, count]) => count === 0)).toEqual([]);
    await check();
    expect(lines).toEqual([]);
    state.stays.clear();
    await check();
    expect(lines).toMatchObject([{ guild: GUILD, kinds, until: new Date(START + 30 * DAY).toISOString() }]);
    await pass(30 * DAY - MINUTE);
    expect([await owned(), lines.length]).toEqual([one, 1]);
    await pass(MINUTE);
    expect(await owned()).toEqual(nothing);
    for (const { name } of Object.values<Feature>(features).flatMap(({ collections }) => collections))
      expect(JSON.stringify([...(await store.documents.all(name))]), name).not.toContain(GUILD);
    expect(lines.slice(1)).toMatchObject([{ guild: GUILD, ...one }]);
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
      const two = await owned();
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
      const { state, check, pass, make, owned, boardsIn } = setUp(store);
      await make(START - DAY);
      const [one, [oldBoard]] = [await owned(), await boardsIn(GUILD)];
      await check();
      state.stays.clear();
      await check();
      await pass(29 * DAY);
      // No process runs for two days.
      state.now += 2 * DAY;
      state.stays.set(GUILD, state.now - skew);
      await make(state.now + MINUTE);
      await pass(DAY);
      expect(await owned()).toEqual(one);
      expect(await boardsIn(GUILD)).not.toContain(oldBoard);
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
    const one = await owned();
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
    const cleaned = () => lines.filter((line) => 'boards' in line).length;
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
    const { state, check, pass, make, makeSettings, owned } = setUp(store);
    await make(START - DAY);
    await check();
    state.stays.clear();
    await check();
    const other = '100000000000000002';
    await makeSettings(START - DAY, other);
    await check();
    state.areSettingsReadable = false;
    state.now += 30 * DAY;
    await expect(check()).rejects.toThrow('the servers of settings cannot be read');
    expect(await owned()).toEqual(nothing);
    state.areSettingsReadable = true;
    await pass(DAY);
    expect(await owned(other)).toEqual(nothing);
  });

  test('another application is refused, and deletes nothing until it gets the store', async ({
    one: store,
    two: sameStore,
  }) => {
    const first = setUp(store);
    await first.make(START - DAY);
    const one = await first.owned();
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
    const one = await stranger.owned();
    await stranger.pass(60 * DAY);
    expect(await stranger.owned()).toEqual(one);
    expect(stranger.lines).toHaveLength(1);
    await expect(refuseStranger(store.documents, OWN)).resolves.toBeUndefined();
    await setUp(sameStore).check();
    await expect(refuseStranger(store.documents, OTHER)).rejects.toThrow(OWN.id);
  });
});
