/** Proofs at work: what they listen to, and what ends with them. */
import { Routes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { SECOND } from '../../src/base/duration.ts';
import type { Bot } from '../../src/bot/bot.ts';
import { watchProofs } from '../../src/bot/proofs.ts';
import { ANNA, bot, NOON, time } from '../support/bot-in-memory.ts';
import { driver, vehicle } from '../support/records.ts';

describe('proofs', () => {
  async function begun() {
    const all = bot();
    await all.repositories.links.set('8', { username: 'k3nny', since: 0 });
    const asked = { username: 'k3nny', card: '12/secret', locale: 'en-GB' };
    const proof = await all.repositories.proofs.begin(ANNA, asked, NOON);
    if (typeof proof === 'number') throw new Error('none may be begun');
    watchProofs(all.core as Bot, all.runtime);
    const profile = driver({ username: 'k3nny', nickname: proof.code });
    return { ...all, see: () => all.observed({ kind: 'profile', record: profile }), code: proof.code };
  }

  test('end with the code in a name: card and lists change, the former holder is told', async () => {
    const { see, repositories, state, requests, messages, lines, observed } = await begun();
    observed({ kind: 'car', record: vehicle() });
    see();
    await time.pass(SECOND);
    expect((await repositories.links.of(ANNA))?.proved).toBe(NOON);
    expect(requests).toEqual([
      `patch ${Routes.webhookMessage('12', 'secret')}`,
      `post ${Routes.userChannels()}`,
      `post ${Routes.channelMessages('8')}`,
    ]);
    expect([state.refreshed, lines]).toEqual([1, []]);
    expect(messages).toMatchObject([{ place: '8', content: expect.stringContaining('k3nny') }]);
    see();
    await time.pass(SECOND);
    expect([messages.length, state.refreshed]).toEqual([1, 1]);
  });

  test('that cannot be read are one line of the log, and one once they can', async () => {
    const { see, repositories, lines } = await begun();
    const { seen } = repositories.proofs;
    repositories.proofs.seen = () => Promise.reject(new Error('the store is away'));
    for (let read = 0; read < 5; read += 1) {
      see();
      await time.pass(SECOND);
    }
    expect(lines).toHaveLength(1);
    repositories.proofs.seen = seen;
    see();
    await time.pass(SECOND);
    expect([lines.length, (await repositories.links.of(ANNA))?.proved]).toEqual([2, NOON + 5 * SECOND]);
  });

  test('are looked for until the end', async () => {
    const { see, repositories, state, resources } = await begun();
    expect(state.listening).toBe(1);
    await time.until(resources.disposeAsync());
    see();
    await time.pass(SECOND);
    expect([state.listening, await repositories.links.of(ANNA)]).toEqual([0, null]);
  });
});
