/** Messages about convoys over a Discord that refuses or answers slowly, and a process that is killed. */

import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../commands/convoys/models/convoy.ts';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { bot, time } from '../../support/bot-in-memory.ts';
import { blocked, tooMany, unavailable } from '../../support/messages.ts';

/** The guilds that Discord answers slowly and quickly. */
const [SLOW, QUICK] = ['1', '2'] as const;
const slowPeople = Array.from({ length: 25 }, (_, n) => `5${String(n).padStart(2, '0')}`);

function botWithConvoys() {
  const all = bot({ features: ['convoys'] });
  const convoys = createConvoyRepository(all.documents);
  return {
    ...all,
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
    const { convoy, discord, start, messages } = botWithConvoys();
    await convoy(QUICK, [], { role: '5' });
    discord.message = async (place) => {
      if (place === `80${QUICK}`) throw blocked;
    };
    start();
    await time.pass(30 * MINUTE);
    expect(messages).toMatchObject([{ place: '9', content: expect.stringContaining('AutoMod') }]);
  });

  test('reminds until it begins whoever Discord did not let be reminded, and not after', async () => {
    const { convoy, discord, start, places } = botWithConvoys();
    await convoy(QUICK, ['501', '502']);
    discord.opening = async (person) => {
      if (person === '502' || time.elapsed < 20 * MINUTE) throw unavailable;
    };
    start();
    await time.pass(30 * MINUTE);
    expect(places()).toEqual(['501']);
    await time.pass(2 * MINUTE);
    discord.opening = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual(['501']);
  });

  test('tells that it is cancelled once Discord takes it', async () => {
    const { convoy, discord, start, convoys, messages } = botWithConvoys();
    const id = await convoy(QUICK, ['501']);
    discord.message = async () => {
      throw tooMany;
    };
    start();
    await convoys.cancel(QUICK, id, '1', time.clock.now());
    await time.pass(10 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(messages).toMatchObject([{ place: '501', content: expect.stringContaining('cancelled') }]);
  });

  test('pings its role later, once, if Discord does not take the ping', async () => {
    const { convoy, discord, start, kill, again, places } = botWithConvoys();
    await convoy(QUICK, [], { role: '77' });
    discord.message = async () => {
      throw tooMany;
    };
    start();
    kill();
    again().start();
    await time.pass(2 * MINUTE);
    discord.message = async () => {};
    await time.pass(HOUR);
    expect(places()).toEqual([`80${QUICK}`]);
  });

  test('keeps no entry of a person forgotten while the conversation opens', async () => {
    const { convoy, discord, start, convoys, repositories, messages } = botWithConvoys();
    const id = await convoy(QUICK, ['501']);
    discord.opening = async () => {
      await convoys.press(QUICK, id, '501', 'remind', time.clock.now());
    };
    start();
    await time.pass(HOUR);
    expect(messages).toEqual([]);
    expect(await repositories.deliveries.since('convoys-of:501', 0)).toEqual([]);
  });

  test("of a server that Discord answers slowly holds up no other one's reminders", async () => {
    const { convoy, discord, start, messages } = botWithConvoys();
    await convoy(SLOW, slowPeople);
    await convoy(QUICK, ['901']);
    discord.opening = (person) =>
      slowPeople.includes(person)
        ? new Promise((resolve) => time.clock.after(5 * SECOND, resolve))
        : Promise.resolve();
    start();
    await time.pass(25 * MINUTE);
    const [first] = messages;
    const quick = messages.find(({ place }) => place === '901');
    expect(messages).toHaveLength(26);
    expect((quick?.at ?? 0) - (first?.at ?? 0)).toBeLessThanOrEqual(15 * SECOND);
  });
});
