/** Who shows that a driver is theirs, over both kinds of store. */
import { test as alone, expect } from 'vitest';
import { DAY, MINUTE } from '../../../src/base/duration.ts';
import { createGuildDrivers } from '../../../src/community/accounts/guild-drivers.ts';
import { createProofs, proofs } from '../../../src/community/accounts/proofs.ts';
import { readDocument } from '../../../src/store/collection.ts';
import { overFile } from '../../store/over-each-store.ts';
import type { Opened } from '../../store/support.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

const card = { card: 'app/secret', locale: 'de' };

type Pending = Exclude<Awaited<ReturnType<ReturnType<typeof createProofs>['begin']>>, number>;

async function begun({ proofs }: Opened, personId: string, username: string, now = NOW): Promise<Pending> {
  const proof = await proofs.begin(personId, { ...card, username }, now);
  if (typeof proof === 'number') throw new Error('none may be begun');
  return proof;
}

/** Whose names were proved by this reading. */
async function seen({ proofs }: Opened, username: string | null, nickname: string | null, now = NOW) {
  return (
    await proofs.seen(
      [
        { username: 'other', nickname: 'Other' },
        { username, nickname },
      ],
      now,
    )
  ).map((each) => each.username);
}

overFile((test) => {
  test('a code in the name of its driver proves a link, as the game and people write it', async ({
    one,
    two,
  }) => {
    for (const written of [
      (code: string) => `^7[^1TC^7] ^3Zoë ^1${code}`,
      (code: string) => code.toUpperCase(),
      (code: string) => [...code].join('^4'),
      (code: string) => `^l${code.replace('-', '\uff0d')}^r`,
    ]) {
      const { code, until } = await begun(one, ANNA, 'Zoë');
      expect(code).toMatch(/^pw-[a-z2-9]{4}$/);
      expect(until).toBe(NOW + 10 * MINUTE);
      const nickname = written(code);
      expect(await two.proofs.seen([{ username: 'ZOË', nickname }], NOW + MINUTE)).toEqual([
        { username: 'Zoë', code, ...card, loser: null },
      ]);
      expect(await one.links.of(ANNA)).toMatchObject({ username: 'Zoë', by: 'self', proved: NOW + MINUTE });
      expect(await one.proofs.running(ANNA, NOW + MINUTE)).toBeNull();
      expect(await two.proofs.seen([{ username: 'Zoë', nickname }], NOW + MINUTE)).toEqual([]);
      await two.forgetter.forget(ANNA);
    }
  });

  test("rejects another driver's name, a missing or partial code, and another's code", async ({
    one,
    two,
  }) => {
    const annas = await begun(one, ANNA, 'Zoë');
    const boriss = await begun(two, BORIS, 'b0ris');
    const zoes = await begun(one, '3', 'zoe');
    const kims = await begun(one, '4', 'kim');
    for (const [username, nickname] of [
      ['Zoe', annas.code],
      ['b0ris', annas.code],
      [null, annas.code],
      ['Zoë', null],
      ['Zoë', 'Zoë'],
      ['Zoë', annas.code.slice(0, -1)],
      ['Zoë', annas.code.replace('-', '')],
      ['Zoë', boriss.code],
      ['Zoë', zoes.code],
      [`Zoë ${annas.code}`, 'Zoë'],
      // A Kelvin sign, which is a k in lower case.
      ['\u212aim', kims.code],
    ] as const)
      expect(await seen(one, username, nickname), `${username} called ${nickname}`).toEqual([]);
    expect(await two.links.of(ANNA)).toBeNull();
    // Each code proves for its own account alone.
    expect(await seen(two, 'b0ris', boriss.code)).toEqual(['b0ris']);
    expect([await one.links.of(ANNA), (await one.links.of(BORIS))?.username]).toEqual([null, 'b0ris']);
  });

  test('ends after ten minutes, when it is cancelled, and with another one', async ({ one, two }) => {
    const { code } = await begun(one, ANNA, 'Zoë');
    expect((await begun(two, ANNA, 'ZOË', NOW + 9 * MINUTE)).code).toBe(code);
    expect(await seen(one, 'Zoë', code, NOW + 10 * MINUTE)).toEqual([]);
    expect(await two.proofs.running(ANNA, NOW + 10 * MINUTE)).toBeNull();
    const next = await begun(two, ANNA, 'Zoë', NOW + 11 * MINUTE);
    expect(next.code).not.toBe(code);
    await one.proofs.cancel(ANNA);
    expect(await seen(two, 'Zoë', next.code, NOW + 12 * MINUTE)).toEqual([]);
    const last = await begun(one, ANNA, 'other', NOW + 13 * MINUTE);
    expect(await seen(two, 'other', last.code, NOW + 14 * MINUTE)).toEqual(['other']);
  });

  test('is begun three times a day and account, and what is older leaves no document', async ({
    one,
    two,
  }) => {
    const begin = (at: number, personId = ANNA) =>
      two.proofs.begin(personId, { ...card, username: 'Zoë' }, NOW + at);
    for (const at of [0, 20, 40]) expect(typeof (await begin(at * MINUTE))).toBe('object');
    expect(await begin(41 * MINUTE)).toMatchObject({ until: NOW + 50 * MINUTE });
    expect(await begin(60 * MINUTE)).toBe(NOW + DAY);
    expect(typeof (await begin(60 * MINUTE, BORIS))).toBe('object');
    expect(typeof (await begin(DAY))).toBe('object');
    expect(await readDocument(one.documents, proofs, ANNA)).toMatchObject({
      begun: [NOW + 20 * MINUTE, NOW + 40 * MINUTE, NOW + DAY],
    });
    await begin(3 * DAY, BORIS);
    expect(await readDocument(one.documents, proofs, ANNA)).toBeNull();
  });

  test('looks up six times at most, whatever is pressed at once', async ({ one, two }) => {
    expect(await one.proofs.look(ANNA)).toBe(false);
    await begun(one, ANNA, 'Zoë');
    const looks = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two).proofs.look(ANNA));
    expect((await Promise.all(looks)).filter((may) => may)).toHaveLength(6);
    await begun(two, ANNA, 'Zoë', NOW + MINUTE);
    expect(await two.proofs.look(ANNA)).toBe(false);
  });

  test('one of two processes that read the name at once proves it, and says so', async ({ one, two }) => {
    const { code } = await begun(one, ANNA, 'Zoë');
    const both = await Promise.all([seen(one, 'Zoë', code), seen(two, 'Zoë', code), seen(one, 'Zoë', code)]);
    expect(both.flat()).toEqual(['Zoë']);
  });

  test('is there for whoever waits until all that was seen is judged', async ({ one }) => {
    const { code } = await begun(one, ANNA, 'Zoë');
    const seeing = seen(one, 'Zoë', code);
    await one.proofs.settled();
    expect((await one.links.of(ANNA))?.proved).toBe(NOW);
    await seeing;
  });

  test('takes the driver and its wishes from an earlier account, and back by a new proof', async ({
    one,
    two,
  }) => {
    await one.links.set(ANNA, { username: 'Zoë', since: 1 });
    await one.links.setPrivacy(ANNA, { hidden: true, unwatched: true });
    await one.links.set(BORIS, { username: 'b0ris', since: 1 });
    const first = await begun(two, BORIS, 'zoë');
    expect(await two.proofs.seen([{ username: 'Zoë', nickname: first.code }], NOW)).toMatchObject([
      { loser: ANNA },
    ]);
    expect(await one.links.of(ANNA)).toBeNull();
    expect(await one.links.of(BORIS)).toEqual({
      ...{ username: 'zoë', since: NOW, by: 'self', hidden: false, unwatched: false, proved: NOW },
    });
    // The driver that he had before is free, his own is taken, also for her who had it.
    expect(await two.links.set('3', { username: 'b0ris', since: NOW })).toBe('linked');
    expect(await two.links.set(ANNA, { username: 'Zoë', since: NOW })).toBe('taken');
    const second = await begun(one, ANNA, 'Zoë', NOW + 1);
    expect(await one.proofs.seen([{ username: 'Zoë', nickname: second.code }], NOW + 1)).toMatchObject([
      { loser: BORIS },
    ]);
    expect([await one.links.of(BORIS), (await one.links.of(ANNA))?.proved]).toEqual([null, NOW + 1]);
  });

  test('keeps date and wishes of a link that was there, and ends with it', async ({ one, two }) => {
    await one.links.set(ANNA, { username: 'Zoë', since: 1 });
    await one.links.setPrivacy(ANNA, { hidden: true });
    const { code } = await begun(one, ANNA, 'Zoë');
    await seen(two, 'Zoë', code);
    expect(await one.links.of(ANNA)).toMatchObject({ since: 1, hidden: true, proved: NOW });
    await one.links.set(ANNA, { username: 'ZOË', since: NOW });
    expect((await two.links.of(ANNA))?.proved).toBe(NOW);
    await one.links.remove(ANNA);
    await one.links.set(ANNA, { username: 'Zoë', since: NOW });
    expect((await two.links.of(ANNA))?.proved).toBeNull();
  });

  test('an administrator overrules it in that server alone, and proves nothing by it', async ({
    one,
    two,
  }) => {
    const { code } = await begun(one, ANNA, 'Zoë');
    await seen(one, 'Zoë', code);
    const drivers = createGuildDrivers(one.documents, () => false);
    const before = await drivers.version();
    const proved = async (guild: string) =>
      [...(await drivers.in(guild))].filter(([, driver]) => driver.proved).map(([id]) => id);
    expect(await proved('g')).toEqual([ANNA]);
    await two.links.correct(BORIS, { guild: 'g', username: 'Zoë', since: NOW });
    expect(await drivers.version()).not.toBe(before);
    expect([await proved('g'), await proved('h')]).toEqual([[], [ANNA]]);
    expect((await drivers.in('g')).get(BORIS)).toEqual({ username: 'Zoë', proved: false, isHidden: false });
    expect([await one.links.of(ANNA, 'g'), (await one.links.of(BORIS, 'g'))?.proved]).toEqual([null, null]);
    expect((await one.links.of(ANNA, 'h'))?.proved).toBe(NOW);
    await two.links.correct(ANNA, { guild: 'h', username: 'other', since: NOW });
    expect(await one.links.of(ANNA, 'h')).toMatchObject({ username: 'other', proved: null });
    await two.links.correct(ANNA, { guild: 'h', username: 'zoë', since: NOW });
    expect(await one.links.of(ANNA, 'h')).toMatchObject({ by: 'administrator', proved: NOW });
    expect(await proved('h')).toEqual([ANNA]);
  });
});

alone(
  'four hundred people who begin at once make four hundred commits, however many have begun before',
  async () => {
    const documents = documentsInMemory();
    let commits = 0;
    const commit: typeof documents.commit = (...asked) => {
      commits += 1;
      return documents.commit(...asked);
    };
    const proofs = createProofs({ ...documents, commit });
    const begin = (person: number) =>
      proofs.begin(String(person), { ...card, username: `driver ${person}` }, NOW);
    await Promise.all(Array.from({ length: 300 }, (_, person) => begin(person)));
    commits = 0;
    const begun = await Promise.all(Array.from({ length: 400 }, (_, person) => begin(1000 + person)));
    expect([begun.every((proof) => typeof proof === 'object'), commits]).toEqual([true, 400]);
  },
);

alone(
  'a code proves the driver for whom it was begun, also where another proof is begun meanwhile',
  async () => {
    const documents = documentsInMemory();
    let meanwhile = async (): Promise<unknown> => null;
    const all: typeof documents.all = async (collection) => {
      const texts = await documents.all(collection);
      await meanwhile();
      return texts;
    };
    const proofs = createProofs({ ...documents, all });
    const first = await proofs.begin(ANNA, { ...card, username: 'anna' }, NOW);
    if (typeof first === 'number') throw new Error('none may be begun');
    meanwhile = async () => {
      meanwhile = async () => null;
      await proofs.begin(ANNA, { ...card, username: 'b0ris' }, NOW);
    };
    expect(await proofs.seen([{ username: 'anna', nickname: first.code }], NOW)).toEqual([]);
  },
);

alone('proofs that were begun by a clock ahead keep nobody from another one', async () => {
  const proofs = createProofs(documentsInMemory());
  for (const minutes of [0, 20, 40])
    await proofs.begin(ANNA, { ...card, username: 'anna' }, NOW + 30 * DAY + minutes * MINUTE);
  expect(typeof (await proofs.begin(ANNA, { ...card, username: 'anna' }, NOW))).toBe('object');
  await proofs.cancel(ANNA);
  expect(typeof (await proofs.begin(ANNA, { ...card, username: 'anna' }, NOW))).toBe('object');
});
