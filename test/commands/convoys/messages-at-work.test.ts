/** Messages about convoys over a Discord that refuses or answers slowly, and a process that is killed. */

import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../commands/convoys/models/convoy.ts';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import {
  blocked,
  createWorld,
  PEOPLE,
  QUICK,
  SLOW,
  time,
  tooMany,
  unavailable,
} from '../../support/messages-at-work.ts';

function createWorldOfConvoys() {
  const world = createWorld('convoys');
  const convoys = createConvoyRepository(world.documents);
  return {
    ...world,
    convoys,
    /** A convoy half an hour later, of which these people want to be reminded. */
    async convoy(guild: string, people: readonly string[], more: Partial<Draft> = {}) {
      const now = time.clock.now();
      const id = `179570000000000${guild}`;
      const draft: Draft = {
        ...{ id, guild, channel: `80${guild}`, madeAt: now, at: now + 31 * MINUTE, when: '' },
        ...{ title: 'Run', server: 'two', zone: 'UTC', hours: 1, places: null, weekly: false, role: null },
        ...more,
      };
      await convoys.putDraft('9', draft);
      await convoys.announce('9', draft, { locale: 'en-GB', colours: true }, now);
      for (const person of people) await convoys.press(guild, id, person, 'remind', now);
      return id;
    },
  };
}

describe('a convoy', () => {
  test('whose text Discord does not take in its channel is named to its maker, once', async () => {
    const { convoy, discord, startProcess, read } = createWorldOfConvoys();
    await convoy(QUICK, [], { role: '5' });
    discord.message = async (place) => {
      if (place === `80${QUICK}`) throw blocked;
    };
    startProcess();
    await time.pass(30 * MINUTE);
    expect(read).toMatchObject([{ place: '9', content: expect.stringContaining('AutoMod') }]);
  });

  test('reminds until it begins whoever Discord did not let be reminded, and not after', async () => {
    const { convoy, discord, startProcess, places } = createWorldOfConvoys();
    await convoy(QUICK, ['501', '502']);
    discord.opening = async (person) => {
      if (person === '502' || time.elapsed < 20 * MINUTE) throw unavailable;
    };
    startProcess();
    await time.pass(30 * MINUTE);
    expect(places()).toEqual(['501']);
    await time.pass(2 * MINUTE);
    discord.opening = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual(['501']);
  });

  test('tells that it is cancelled once Discord takes it', async () => {
    const { convoy, discord, startProcess, convoys, read } = createWorldOfConvoys();
    const id = await convoy(QUICK, ['501']);
    discord.message = async () => {
      throw tooMany;
    };
    startProcess();
    await convoys.cancel(QUICK, id, '1', time.clock.now());
    await time.pass(10 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(read).toMatchObject([{ place: '501', content: expect.stringContaining('cancelled') }]);
  });

  test('pings its role later, once, if Discord does not take the ping', async () => {
    const { convoy, discord, startProcess, places } = createWorldOfConvoys();
    await convoy(QUICK, [], { role: '77' });
    discord.message = async () => {
      throw tooMany;
    };
    startProcess().kill();
    startProcess();
    await time.pass(2 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual([`80${QUICK}`]);
  });

  test('keeps no entry of a person forgotten while the conversation opens', async () => {
    const { convoy, discord, startProcess, convoys, repositories, read } = createWorldOfConvoys();
    const id = await convoy(QUICK, ['501']);
    discord.opening = async () => {
      await convoys.press(QUICK, id, '501', 'remind', time.clock.now());
    };
    startProcess();
    await time.pass(HOUR);
    expect(read).toEqual([]);
    expect(await repositories.deliveries.since('convoys-of:501', 0)).toEqual([]);
  });

  test("of a server that Discord answers slowly holds up no other one's reminders", async () => {
    const { convoy, discord, startProcess, read } = createWorldOfConvoys();
    await convoy(SLOW, PEOPLE.slice(0, 25));
    await convoy(QUICK, ['901']);
    discord.opening = (person) =>
      PEOPLE.includes(person)
        ? new Promise((resolve) => time.clock.after(5 * SECOND, resolve))
        : Promise.resolve();
    startProcess();
    await time.pass(25 * MINUTE);
    const [first] = read;
    const quick = read.find(({ place }) => place === '901');
    expect(read).toHaveLength(26);
    expect((quick?.at ?? 0) - (first?.at ?? 0)).toBeLessThanOrEqual(15 * SECOND);
  });
});
