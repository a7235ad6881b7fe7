import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import convoy from '../../../commands/convoys/convoy.ts';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { botAhead } from '../../support/bot-ahead.ts';

const commands = new Map([['convoy', convoy]]);

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-28T19:00:00Z') }));
afterEach(() => void vi.useRealTimers());

type Bot = ReturnType<typeof botAhead>;

async function plan(bot: Bot, when: string): Promise<string> {
  await bot.setZone('UTC');
  const options = Object.entries({ title: 'Run', when, server: 'two' }).map(([name, value]) => ({
    ...{ name, value, type: ApplicationCommandOptionType.String },
  }));
  const create = { name: 'create', type: ApplicationCommandOptionType.Subcommand, options };
  return bot.ask({
    type: InteractionType.ApplicationCommand,
    data: { id: '1', name: 'convoy', type: ApplicationCommandType.ChatInput, options: [create] },
  });
}

const press = (bot: Bot, customId: string): Promise<string> =>
  bot.ask({
    type: InteractionType.MessageComponent,
    data: { custom_id: customId, component_type: 2 },
    message: { id: '1', flags: 64 },
  });

test.for([
  ['right', 0],
  ['10 min ahead', 10 * MINUTE],
  ['10 min behind', -10 * MINUTE],
] as const)('"in 5 minutes" counts from when it was sent, with a clock that is %s', async ([, ahead]) => {
  const bot = botAhead(commands, ahead);
  const at = Math.floor((Date.now() + 5 * MINUTE) / SECOND);
  const draft = await plan(bot, 'in 5 minutes');
  expect(draft).toContain(`<t:${at}:F>`);
  const announce = /"custom_id":"([^"]*:announce:[^"]*)"/.exec(draft)?.[1] ?? '';
  expect(await press(bot, announce)).toContain('Announced');
});

test("a time of day is over by the person's clock, not by the host's", async () => {
  // It is 19:00; the hosts show 18:50 and 19:10.
  expect(await plan(botAhead(commands, -10 * MINUTE), 'today 18:55')).toContain('is in the past');
  expect(await plan(botAhead(commands, 10 * MINUTE), 'today 19:05')).toContain('in the time zone');
});
