/** Who is which driver, over both kinds of store. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { overFile } from '../../store/over-each-store.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';
const CARLA = '281474976710657003';

const link = (username: string) => ({ username, since: NOW });
const own = (username: string) =>
  ({ username, since: NOW, by: 'self', hidden: false, unwatched: false, proved: null }) as const;
const corrected = (username: string) => ({ ...own(username), by: 'administrator' }) as const;

overFile((test) => {
  test('one driver has one account, and whoever claims it first keeps it', async ({ one, two }) => {
    expect(await one.links.set(ANNA, link('Zoë'))).toBe('linked');
    expect(await two.links.of(ANNA)).toEqual(own('Zoë'));
    expect(await two.links.set(BORIS, link('ZOË'))).toBe('taken');
    expect(await one.links.of(BORIS)).toBeNull();
    expect(await two.links.set(BORIS, link('b0ris'))).toBe('linked');
    // A refused link leaves the earlier one unchanged.
    expect(await two.links.set(BORIS, link('zoë'))).toBe('taken');
    expect(await two.links.of(BORIS)).toEqual(own('b0ris'));
    expect(await one.links.remove(ANNA)).toBe(true);
    expect(await two.links.remove(ANNA)).toBe(false);
    expect(await two.links.set(BORIS, link('zoë'))).toBe('linked');
    // The driver that Boris had before is free again.
    expect(await one.links.set(ANNA, link('b0ris'))).toBe('linked');
  });

  test('a link keeps its date while the account keeps the driver, and not after a break', async ({
    one,
    two,
  }) => {
    const linkAt = (person: string, username: string, since: number) =>
      two.links.set(person, { username, since });
    await linkAt(ANNA, 'Zoë', NOW);
    await linkAt(ANNA, 'ZOË', NOW + 5);
    expect(await one.links.of(ANNA)).toEqual(own('ZOË'));
    await one.links.setPrivacy(ANNA, { hidden: true });
    await linkAt(ANNA, 'Zoë', NOW + 6);
    expect(await one.links.of(ANNA)).toEqual({ ...own('Zoë'), hidden: true });
    // A clock that was ahead does not stay so.
    await linkAt(ANNA, 'Zoë', NOW - 7);
    expect((await one.links.of(ANNA))?.since).toBe(NOW - 7);
    await linkAt(ANNA, 'b0ris', NOW + 8);
    await linkAt(ANNA, 'Zoë', NOW + 9);
    expect((await one.links.of(ANNA))?.since).toBe(NOW + 9);
    await one.links.remove(ANNA);
    await linkAt(BORIS, 'Zoë', NOW + 10);
    expect((await one.links.of(BORIS))?.since).toBe(NOW + 10);
    await one.links.remove(BORIS);
    await linkAt(ANNA, 'Zoë', NOW + 11);
    expect((await one.links.of(ANNA))?.since).toBe(NOW + 11);
  });

  test('an administrator is believed in that guild and nowhere else', async ({ one, two }) => {
    await one.links.set(ANNA, link('k3nny'));
    const said = (username: string | null, guild = 'g') => ({ guild, username, since: NOW });
    expect(await one.links.correct(BORIS, said('K3NNY'))).toEqual([BORIS, ANNA]);
    expect(await two.links.of(BORIS, 'g')).toEqual(corrected('K3NNY'));
    expect(await two.links.of(ANNA, 'g')).toBeNull();
    for (const elsewhere of ['h', null]) {
      expect(await two.links.of(ANNA, elsewhere)).toEqual(own('k3nny'));
      expect(await two.links.of(BORIS, elsewhere)).toBeNull();
    }
    // The own word still counts, and linking again is not refused.
    expect(await two.links.set(ANNA, link('k3nny'))).toBe('linked');

    // Corrected for someone else: within a guild, too, a driver has one account.
    expect(await two.links.correct(CARLA, said('k3nny'))).toEqual([CARLA, BORIS]);
    expect(await one.links.of(BORIS, 'g')).toBeNull();
    expect(await two.links.correct(CARLA, said('k3nny'))).toEqual([]);
    expect(await two.links.correct(CARLA, said(null))).toEqual([CARLA]);
    expect(await one.links.of(CARLA, 'g')).toBeNull();
    expect(await one.links.of(ANNA, 'g')).toEqual(own('k3nny'));
    expect(await one.links.correct(ANNA, said(null, 'h'))).toEqual([ANNA]);
    expect(await two.links.of(ANNA, 'h')).toBeNull();
  });

  test('links stay one to one after anything that anybody does in two processes', async ({ one, two }) => {
    const people = ['1', '2', '3'];
    const act = fc.record({
      at: fc.constantFrom(0, 1),
      person: fc.constantFrom(...people),
      username: fc.constantFrom('a', 'A', 'b', 'B', 'ç', 'Ç', null),
      how: fc.constantFrom('self' as const, 'administrator' as const, 'correct' as const),
    });
    let rounds = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 15 }), async (acts) => {
        for (const person of people) await one.links.remove(person);
        rounds += 1;
        const guild = `round ${rounds}`;
        // All at once: what counts is what holds in the end.
        await Promise.all(
          acts.map(({ at, person, username, how }): Promise<unknown> => {
            const { links } = at === 0 ? one : two;
            if (how === 'correct') return links.correct(person, { guild, username, since: 0 });
            return username === null ? links.remove(person) : links.set(person, { username, since: 0 });
          }),
        );
        const links = await Promise.all(people.map((id) => one.links.of(id)));
        const held = links.flatMap((link) => link?.username.toLowerCase() ?? []);
        expect(new Set(held).size).toBe(held.length);
        const here = await Promise.all(people.map((id) => two.links.of(id, guild)));
        const heldHere = here.flatMap((link) => link?.username.toLowerCase() ?? []);
        expect(new Set(heldHere).size).toBe(heldHere.length);
        // And nobody who is not there holds a driver.
        for (const name of ['a', 'b', 'ç'].filter((free) => !held.includes(free))) {
          expect(await two.links.set('9', link(name))).toBe('linked');
          await two.links.remove('9');
        }
      }),
      { numRuns: 30 },
    );
  });

  test.for(['x'.repeat(65), '🚗'.repeat(33), 'k3\u200bnny', 'k3\nnny', ''])(
    'a link to %j, which nobody could ask for, is not stored, and counts as none where it was',
    async (username, { one, two }) => {
      await one.links.set(ANNA, link('k3nny'));
      await expect(one.links.set(ANNA, link(username))).rejects.toThrow();
      expect(await one.links.of(ANNA)).toEqual(own('k3nny'));
      const { text } = await two.documents.read('people', ANNA);
      const written = JSON.stringify({
        ...JSON.parse(text ?? ''),
        link: { username, since: 0, hidden: false },
      });
      await two.documents.commit([], [{ collection: 'people', key: ANNA, text: written }]);
      expect(await one.links.of(ANNA)).toBeNull();
      // It does not hold the driver that it was before.
      expect(await two.links.set(BORIS, link('k3nny'))).toBe('linked');
      expect(await one.links.set(ANNA, link('zoe'))).toBe('linked');
      expect(await one.links.of(ANNA)).toEqual(own('zoe'));
    },
  );

  test('of many who claim a driver at the same moment one gets it', async ({ one, two }) => {
    const claims = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? one : two).links.set(`${index}`, link('k3nny')),
    );
    const got = (await Promise.all(claims)).filter((answer) => answer === 'linked');
    expect(got).toHaveLength(1);
  });

  test('a driver is hidden for as long as the link of the account that wants it', async ({ one, two }) => {
    expect(await one.links.setPrivacy(ANNA, { hidden: true })).toBe(false);
    await one.links.set(ANNA, link('Zoë'));
    await one.links.set(BORIS, link('b0ris'));
    expect(await two.links.setPrivacy(ANNA, { hidden: true })).toBe(true);
    const hidden = async () =>
      (await one.links.linked()).filter((each) => each.hidden).map(({ username }) => username);
    expect(await hidden()).toEqual(['Zoë']);
    expect((await two.links.linked()).map(({ username }) => username).toSorted()).toEqual(['Zoë', 'b0ris']);
    // Linked again to the same driver, and somebody else tries.
    await two.links.set(ANNA, link('ZOË'));
    await two.links.set(BORIS, link('zoë'));
    expect(await hidden()).toEqual(['ZOË']);
    expect(await one.links.of(ANNA)).toEqual({ ...own('ZOË'), hidden: true });
    await one.links.set(ANNA, link('other'));
    expect(await hidden()).toEqual([]);
    await one.links.setPrivacy(ANNA, { hidden: true });
    await one.links.setPrivacy(ANNA, { hidden: false });
    expect(await hidden()).toEqual([]);
    await one.links.setPrivacy(ANNA, { hidden: true });
    await one.links.remove(ANNA);
    await one.links.set(BORIS, link('other'));
    expect(await hidden()).toEqual([]);
  });

  test('a wish about alerts ends with the link, so that the next account has none', async ({ one, two }) => {
    const unwatched = async () => (await one.links.linked()).filter((each) => each.unwatched).length;
    await one.links.set(ANNA, link('Zoë'));
    await two.links.setPrivacy(ANNA, { unwatched: true });
    await two.links.setPrivacy(ANNA, { hidden: true });
    expect(await one.links.of(ANNA)).toMatchObject({ hidden: true, unwatched: true });
    expect(await unwatched()).toBe(1);
    await one.links.remove(ANNA);
    expect(await unwatched()).toBe(0);
    await two.links.set(BORIS, link('Zoë'));
    expect(await two.links.of(BORIS)).toEqual(own('Zoë'));
    await two.links.setPrivacy(BORIS, { unwatched: true });
    await two.links.set(BORIS, link('other'));
    expect(await unwatched()).toBe(0);
  });

  test("an administrator's correction keeps the wishes only for the same driver", async ({ one, two }) => {
    await one.links.set(ANNA, link('Zoë'));
    await one.links.setPrivacy(ANNA, { hidden: true });
    await one.links.correct(ANNA, { guild: 'g', username: 'ZOË', since: NOW });
    expect(await two.links.of(ANNA, 'g')).toEqual({ ...corrected('ZOË'), hidden: true });
    await one.links.correct(ANNA, { guild: 'g', username: 'other', since: NOW });
    expect(await two.links.of(ANNA, 'g')).toEqual(corrected('other'));
  });
});
