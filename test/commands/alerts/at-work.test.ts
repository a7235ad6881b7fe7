/** Alerts at work: what they listen to, and what ends with them. */
import { describe, expect, test } from 'vitest';
import { createPauseNotices } from '../../../commands/alerts/jobs/pause-notices.ts';
import type { Watch } from '../../../commands/alerts/models/watch.ts';
import { HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import { bot, GUILD, NOON, time } from '../../support/bot-in-memory.ts';
import { vehicle } from '../../support/records.ts';
import { channelWatch, directWatch, storeWatches } from './support/watches.ts';

const sale = { kind: 'car', vin: 'AB12C', below: null } as const;

async function botWith(...watches: readonly Watch[]) {
  const all = bot({ features: ['alerts'] });
  return { ...all, watches: await storeWatches(all.documents, ...watches) };
}

describe('alerts', () => {
  test('of a channel that is gone are paused within ten minutes, and their maker is told', async () => {
    const all = await botWith(channelWatch('aaaaaa', { condition: sale }));
    all.start();
    await time.pass(MINUTE);
    all.state.access = { kind: 'unknown-channel' };
    await time.pass(10 * MINUTE);
    expect((await all.watches.all())[0]?.paused?.why).toBe('gone');
    expect(all.messages).toMatchObject([{ place: '11', content: expect.stringContaining('paused') }]);
    expect(await createPauseNotices(all.documents).take('11')).toBeNull();
  });

  test('go on within seconds of the moment at which their rights are back', async () => {
    const all = await botWith(
      channelWatch('aaaaaa', { condition: sale, paused: { why: 'rights', since: NOON - MINUTE } }),
    );
    all.start();
    await time.pass(MINUTE);
    all.changed.call(GUILD);
    await time.pass(6 * SECOND);
    expect((await all.watches.all())[0]?.paused).toBeNull();
  });

  test('of a server without the bot rest in silence until it is invited again', async () => {
    const all = await botWith(channelWatch('aaaaaa', { condition: sale }));
    all.start();
    await time.pass(MINUTE);
    Object.assign(all.state, { access: { kind: 'unknown-channel' }, stayedSince: Number.POSITIVE_INFINITY });
    all.changed.call(GUILD);
    await time.pass(MINUTE);
    expect([(await all.watches.all())[0]?.paused?.why, all.wanted()]).toEqual(['gone', []]);
    Object.assign(all.state, { access: { kind: 'open' }, stayedSince: NOON });
    all.changed.call(GUILD);
    await time.pass(30 * MINUTE);
    expect([(await all.watches.all())[0]?.paused, all.wanted()]).toEqual([null, ['car AB12C']]);
    expect(all.messages).toEqual([]);
  });

  test('are sent from the bot’s own observations, in the process that keeps them', async () => {
    const all = await botWith(
      directWatch('aaaaaa', { condition: sale }),
      directWatch('bbbbbb', { condition: { kind: 'duty', duty: 'police', atLeast: 1 } }),
    );
    all.start();
    const sell = async (...times: readonly boolean[]) => {
      for (const isOnMarket of times) {
        all.observed({ kind: 'car', record: vehicle({ isOnMarket }) });
        await time.pass(MINUTE);
      }
    };
    await time.pass(MINUTE);
    expect(all.state.polled).toBe(1);
    await sell(false, false, true, true);
    expect(all.messages.length).toBe(1);
    all.state.holds = false;
    await sell(false, false, true, true);
    expect([all.messages.length, all.state.polled]).toEqual([1, 0]);
    all.state.holds = true;
    await time.pass(MINUTE);
    expect([all.state.polled, all.state.listening]).toEqual([1, 3]);
    await time.until(all.resources.disposeAsync());
    expect([all.state.polled, all.state.listening]).toEqual([0, 0]);
    const reads = all.requests.length;
    all.state.access = { kind: 'unknown-channel' };
    await storeWatches(all.documents, channelWatch('cccccc', { condition: sale }));
    await time.pass(HOUR);
    expect([all.requests.length, (await all.watches.in(GUILD))[0]?.paused]).toEqual([reads, null]);
  });

  test('are quiet by the zone that the person and the server have now', async () => {
    const all = await botWith(
      directWatch('aaaaaa', { condition: sale }),
      channelWatch('bbbbbb', { condition: sale }),
    );
    all.start();
    await all.repositories.timeZones.set('11', 'Pacific/Auckland');
    await all.repositories.guildSettings.change(GUILD, { timeZone: 'Pacific/Auckland' });
    for (const isOnMarket of [false, false, true, true, true]) {
      all.observed({ kind: 'car', record: vehicle({ isOnMarket }) });
      await time.pass(MINUTE);
    }
    // It is one in the morning there.
    expect(all.messages.length).toBe(0);
    await all.repositories.timeZones.set('11', 'Europe/Berlin');
    await time.pass(MINUTE);
    expect(all.messages.length).toBe(1);
    await all.repositories.guildSettings.change(GUILD, { timeZone: 'Europe/Berlin' });
    await time.pass(MINUTE);
    expect(all.messages.length).toBe(2);
  });

  test('want the cars of alerts, in the process that keeps the guild, until the end', async () => {
    const all = await botWith(directWatch('aaaaaa', { condition: sale }));
    all.start();
    await time.pass(30 * MINUTE);
    expect(all.wanted()).toEqual(['car AB12C']);
    all.state.holds = false;
    expect(all.wanted()).toEqual([]);
    all.state.holds = true;
    await time.until(all.resources.disposeAsync());
    expect(all.wanted()).toEqual([]);
  });
});
