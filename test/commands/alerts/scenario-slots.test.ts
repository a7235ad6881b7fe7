/** A reminder of a free slot, by the real bot over the sandbox. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../../src/base/duration.ts';
import type { DataService } from '../../../src/sandbox/service/data-service.ts';
import { createBotWithin } from '../../support/bot-within.ts';
import { test } from '../../support/sandbox.ts';

describe('/slots', () => {
  /** Advances the service's clock until the server One is full or has a free slot. */
  async function until(what: 'full' | 'not full', dataService: DataService): Promise<void> {
    for (let step = 0; step < 600; step += 1) {
      const answer = await fetch(
        `${dataService.url}/drivesim/live/status?key=${dataService.restrictedKey}&server=one`,
      );
      const { guests, maxGuests }: { guests: number; maxGuests: number } = JSON.parse(await answer.text());
      if (guests >= maxGuests === (what === 'full')) return;
      dataService.advance(5 * 60);
    }
    throw new Error(`the server One was never ${what}`);
  }

  test('reports a free slot once, by a direct message, even after a restart', async ({
    chat,
    dataService,
    visitor,
    neighbour,
  }) => {
    await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: 300 });
    await until('full', dataService);
    await bot.start();
    const { message, text } = await visitor.ask('slots', {});
    expect(text).toMatch(/\*\*One\*\* .*\n🔴 full/);
    for (const person of [visitor, neighbour]) {
      const promised = await person.press(message, 'Free slot: One');
      expect(promised.private).toBe(true);
      expect(promised.message.id).not.toBe(message.id);
      expect(promised.text).toMatch(/direct message when One/);
    }
    await bot.stop();
    await until('not full', dataService);

    const told = (id: string) =>
      chat
        .visitor(id)
        .messages(chat.directChannel(id))
        .map(({ content }) => content);
    const heard = Promise.withResolvers<void>();
    chat.subscribe(() => {
      if ([visitor, neighbour].every(({ id }) => told(id).length > 0)) heard.resolve();
    });
    await bot.start(2 * MINUTE);
    await heard.promise;
    await bot.stop();
    await bot.start(3 * MINUTE);
    await visitor.ask('slots', {});
    for (const { id } of [visitor, neighbour]) {
      expect(told(id)).toHaveLength(1);
      expect(told(id)[0]).toMatch(/\*\*One\*\* has \d+ free slot/);
    }
  });
});
