/** Convoys at work: who may plan them, what is sent, and what ends with them. */
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import { ANNA, bot, GUILD, ROLE, time } from '../../support/bot-in-memory.ts';

describe('convoys', () => {
  const asker: { id: string; guild: string; roles?: string[] } = { id: ANNA, guild: GUILD };
  const typed = { title: 'Run', when: 'in 40 min', server: 'two', hours: 1, places: null, weekly: false };

  function begun() {
    const all = bot({ features: ['convoys'] });
    const { convoys } = all.features;
    const plan = (role: string | null = null, weekly = false) =>
      convoys.plan(
        asker,
        { ...typed, role, weekly },
        {
          ...{ about: null, channel: '8', locale: 'en-GB', zone: 'UTC', now: time.clock.now() },
        },
      );
    async function announce(role: string | null = null, weekly = false): Promise<string> {
      await all.repositories.guildSettings.change(GUILD, { convoyRole: GUILD });
      const planned = await plan(role, weekly);
      if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
      const { id } = planned.draft;
      await convoys.announce(asker, id, { locale: 'en-GB', colours: true, zone: 'UTC' }, time.clock.now());
      return id;
    }
    const sent = () => all.messages.length;
    const repository = createConvoyRepository(all.documents);
    return { ...all, repository, convoys, plan, announce, sent };
  }

  test('are planned by whom the settings let, and by no one else', async () => {
    const { plan, repositories, state, requests } = begun();
    expect(await plan()).toEqual({ refusal: 'not-allowed' });
    await repositories.guildSettings.change(GUILD, { convoyRole: ROLE });
    expect(await plan()).toEqual({ refusal: 'not-allowed' });
    asker.roles = [ROLE];
    expect(await plan()).toMatchObject({ problem: null });
    asker.roles = [];
    await repositories.guildSettings.change(GUILD, { convoyRole: GUILD });
    expect(await plan()).toMatchObject({ problem: null });
    // Everyone may not ping all the same.
    expect(await plan('5')).toEqual({ refusal: 'no-ping' });
    // A person may not have the bot write where they may only read.
    state.overwrites = [{ id: GUILD, allow: String(PermissionFlagsBits.ViewChannel), deny: '0' }];
    expect(await plan()).toEqual({ refusal: 'no-send' });
    state.overwrites = [{ id: GUILD, allow: String(PermissionFlagsBits.SendMessages), deny: '0' }];
    expect(await plan()).toEqual({ refusal: 'no-send' });
    // The bot does not know what the channel lets them do.
    state.overwrites = null;
    expect(await plan()).toEqual({ refusal: 'lost' });
    // Discord is asked nothing, however often somebody plans.
    for (let times = 0; times < 100; times += 1) await plan('5');
    expect(requests).toEqual([]);
  });

  test('of a server without the bot wait for it, and weekly ones go on', async () => {
    const { announce, start, state, repository, sent, convoys } = begun();
    start();
    const id = await announce(null, true);
    await convoys.press(asker, id, 'remind', time.clock.now());
    state.isThere = false;
    await time.pass(8 * 24 * HOUR);
    expect([await repository.in(GUILD), sent()]).toMatchObject([[{ id, stage: 'open' }], 0]);
    state.isThere = true;
    await time.pass(MINUTE);
    const [over, next] = await repository.in(GUILD);
    expect([over, next]).toMatchObject([{ id, stage: 'over' }, { stage: 'open' }]);
    expect(next?.at).toBeGreaterThan(time.clock.now());
  });

  test('remind once, in the process that keeps the guild', async () => {
    const { announce, start, convoys, state, sent } = begun();
    start();
    const id = await announce();
    for (const press of ['in', 'remind'] as const) await convoys.press(asker, id, press, time.clock.now());
    state.holds = false;
    await time.pass(35 * MINUTE);
    expect(sent()).toBe(0);
    state.holds = true;
    await time.pass(MINUTE);
    expect(sent()).toBe(1);
    await time.pass(HOUR);
    expect(sent()).toBe(1);
  });

  test('remind by Discord’s clock while the clock of the host is ahead', async () => {
    const { start, convoys, state, repositories, sent } = begun();
    state.clockSkew = 20 * MINUTE;
    await repositories.guildSettings.change(GUILD, { convoyRole: GUILD });
    const sentAt = time.clock.now() - 20 * MINUTE;
    const place = { about: null, channel: '8', locale: 'en-GB', zone: 'UTC', now: sentAt };
    const planned = await convoys.plan(asker, { ...typed, role: null }, place);
    if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
    const { id } = planned.draft;
    await convoys.announce(asker, id, { locale: 'en-GB', colours: true, zone: 'UTC' }, sentAt);
    await convoys.press(asker, id, 'remind', sentAt);
    start();
    await time.pass(5 * MINUTE);
    expect(sent()).toBe(0);
    await time.pass(6 * MINUTE);
    expect(sent()).toBe(1);
  });

  test('tell once that one is cancelled, even right after its reminder', async () => {
    const { announce, start, convoys, sent } = begun();
    start();
    const id = await announce();
    for (const person of [asker, { ...asker, id: '6' }])
      await convoys.press(person, id, 'remind', time.clock.now());
    await time.pass(15 * MINUTE);
    expect(sent()).toBe(2);
    // The person who cancels knows it.
    await convoys.cancel(asker, id, time.clock.now());
    await time.pass(HOUR);
    expect(sent()).toBe(3);
  });

  test('remind of a moved one twice an hour at most, and of all ten times a day', async () => {
    const { announce, start, convoys, sent } = begun();
    start();
    const id = await announce();
    await convoys.press(asker, id, 'remind', time.clock.now());
    const move = async (minutes: number) => {
      await convoys.plan(
        asker,
        { ...typed, when: 'in 20 min', role: null },
        { about: id, channel: '8', locale: 'en-GB', zone: 'UTC', now: time.clock.now() },
      );
      await convoys.announce(asker, id, { locale: 'en-GB', colours: true, zone: 'UTC' }, time.clock.now());
      await time.pass(minutes * MINUTE);
    };
    for (let times = 0; times < 20; times += 1) await move(1);
    expect(sent()).toBe(1);
    for (let times = 0; times < 72; times += 1) await move(10);
    expect(sent()).toBe(10);
  });
});
