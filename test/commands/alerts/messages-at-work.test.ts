/** Alerts over a Discord that refuses or answers slowly, and a process that is killed. */

import { describe, expect, test } from 'vitest';
import type { Watch } from '../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';
import { bot, time } from '../../support/bot-in-memory.ts';
import { blocked, tooMany, unavailable } from '../../support/messages.ts';
import { channelWatch, directWatch, storeWatches } from './support/watches.ts';

const PEOPLE = Array.from({ length: 30 }, (_, n) => `5${String(n).padStart(2, '0')}`);
/** The guilds that Discord answers slowly and quickly. */
const [SLOW, QUICK] = ['1', '2'] as const;

async function botWith(watches: readonly Watch[]) {
  const all = bot({ features: ['alerts'] });
  all.driving.add('somebody');
  await storeWatches(all.documents, ...watches);
  return all;
}

describe('thirty people who watch one driver', () => {
  async function watched() {
    const all = await botWith(PEOPLE.map((person) => directWatch(`abc${person}`, { person })));
    all.start();
    await time.pass(15 * MINUTE);
    return all;
  }

  test('are all told, each once, when Discord opens ten conversations a minute', async () => {
    const { driving, discord, places, lines } = await watched();
    let opened = 0;
    let since = time.elapsed;
    discord.opening = async () => {
      if (time.elapsed - since >= MINUTE) [opened, since] = [0, time.elapsed];
      opened += 1;
      if (opened > 10) throw tooMany;
    };
    driving.add('k3nny');
    await time.pass(9 * MINUTE);
    expect(places()).toEqual(PEOPLE);
    expect(lines).not.toContainEqual(expect.objectContaining({ level: 'error' }));
  });

  test('are all told, each once, after a short fault at the opening', async () => {
    const { driving, discord, places } = await watched();
    discord.opening = async () => {
      throw unavailable;
    };
    driving.add('k3nny');
    await time.pass(45 * SECOND);
    discord.opening = async () => {};
    await time.pass(3 * MINUTE);
    expect(places()).toEqual(PEOPLE);
  });

  test('are all told, each once, over processes that are killed meanwhile', async () => {
    const { driving, discord, places, kill, again } = await watched();
    driving.add('k3nny');
    // Some of the conversations have been opened by then.
    await time.pass(40 * SECOND);
    expect(places().length).toBeGreaterThan(0);
    kill();
    const next = again();
    next.start();
    discord.opening = async () => {
      throw tooMany;
    };
    await time.pass(MINUTE);
    next.kill();
    discord.opening = async () => {};
    again().start();
    await time.pass(4 * MINUTE);
    expect(places()).toEqual(PEOPLE);
  });

  test('are not told of a driver who has come on more than ten minutes ago', async () => {
    const { driving, discord, messages } = await watched();
    discord.opening = async () => {
      throw tooMany;
    };
    driving.add('k3nny');
    await time.pass(12 * MINUTE);
    discord.opening = async () => {};
    await time.pass(HOUR);
    expect(messages).toEqual([]);
  });

  test('are told once where nobody knows whether a message has arrived', async () => {
    const { driving, discord, places } = await watched();
    discord.answer = async () => {
      throw new Unconfirmed(503);
    };
    driving.add('k3nny');
    await time.pass(HOUR);
    expect(places()).toEqual(PEOPLE);
  });
});

test('the maker of an alert whose text Discord does not take is told once', async () => {
  const condition = { kind: 'driver', player: 'k3nny' } as const;
  const place = { kind: 'channel', guild: QUICK, channel: '72', role: null } as const;
  const watches = [channelWatch('aaaaaa', { condition, place, atNight: true })];
  const { discord, driving, start, messages } = await botWith(watches);
  discord.message = async (to) => {
    if (to === '72') throw blocked;
  };
  start();
  for (let times = 0; times < 3; times += 1) {
    driving.delete('k3nny');
    await time.pass(15 * MINUTE);
    driving.add('k3nny');
    await time.pass(2 * HOUR);
  }
  expect(messages).toMatchObject([{ place: '11', content: expect.stringContaining("Discord didn't take") }]);
}, 30_000);

test("a server that Discord answers slowly holds up no other one's alerts", async () => {
  const inGuild = (id: string, guild: string): Watch =>
    channelWatch(id, {
      condition: { kind: 'driver', player: 'k3nny' },
      zone: 'UTC',
      place: { kind: 'channel', guild, channel: `7${guild}`, role: null },
    });
  const watches = [inGuild('aaaaaa', SLOW), inGuild('bbbbbb', QUICK)];
  const { discord, driving, start, places } = await botWith(watches);
  discord.message = (place) => (place === `7${SLOW}` ? new Promise(() => {}) : Promise.resolve());
  start();
  await time.pass(15 * MINUTE);
  driving.add('k3nny');
  await time.pass(MINUTE);
  expect(places()).toEqual([`7${QUICK}`]);
});
