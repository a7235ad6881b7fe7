import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  SnowflakeUtil,
} from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import convoy from '../../../commands/convoys/convoy.ts';
import timezone from '../../../commands/people/timezone.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';
import { peopleInMemory } from '../../support/people.ts';

const GUILD = '100000000000000001';
const MANAGE_GUILD = '32';
const commands = new Map(Object.entries({ convoy, timezone }));

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-28T19:00:00Z') }));
afterEach(() => void vi.useRealTimers());

/** A bot on a machine whose wall clock is so far ahead of Discord's, in ms. */
function botAhead(aheadMs: number) {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const people = peopleInMemory({ now: clock.now });
  const bot = dispatchInMemory({ commands, clock, context: people });
  const said = async (sent: Parameters<typeof bot.ask>[0]): Promise<string> => {
    const before = bot.heard.length;
    bot.ask({ id: String(SnowflakeUtil.generate()), ...sent, ...inGuild(GUILD, MANAGE_GUILD) });
    await vi.advanceTimersByTimeAsync(SECOND);
    return bot.heard
      .slice(before)
      .map(({ body }) => body)
      .join('\n');
  };
  const typed = (name: string, options: readonly object[]) =>
    said({
      type: InteractionType.ApplicationCommand,
      data: { id: '1', name, type: ApplicationCommandType.ChatInput, options },
    });
  const plan = async (when: string) => {
    // Without any time zone, the window asks for one.
    await people.store.guildSettings.change(GUILD, { timeZone: 'UTC' });
    const text = (name: string, value: string) => ({
      name,
      value,
      type: ApplicationCommandOptionType.String,
    });
    const options = [text('title', 'Run'), text('when', when), text('server', 'two')];
    return typed('convoy', [{ name: 'create', type: ApplicationCommandOptionType.Subcommand, options }]);
  };
  const press = (customId: string) =>
    said({
      type: InteractionType.MessageComponent,
      data: { custom_id: customId, component_type: 2 },
      message: { id: '1', flags: 64 },
    });
  /** Sends the window of a command with these texts. */
  const submit = (command: string, texts: Readonly<Record<string, string>>) =>
    said({
      type: InteractionType.ModalSubmit,
      data: {
        custom_id: `1:${command}:form:`,
        components: Object.entries(texts).map(([custom_id, value]) => ({
          type: ComponentType.Label,
          component: { type: ComponentType.TextInput, custom_id, value },
        })),
      },
    });
  return { plan, press, submit };
}

test.for([
  ['right', 0],
  ['10 min ahead', 10 * MINUTE],
  ['10 min behind', -10 * MINUTE],
] as const)('"in 5 minutes" counts from when it was sent, with a clock that is %s', async ([, ahead]) => {
  const bot = botAhead(ahead);
  const at = Math.floor((Date.now() + 5 * MINUTE) / SECOND);
  const draft = await bot.plan('in 5 minutes');
  expect(draft).toContain(`<t:${at}:F>`);
  const announce = /"custom_id":"([^"]*:announce:[^"]*)"/.exec(draft)?.[1] ?? '';
  expect(await bot.press(announce)).toContain('Announced');
});

test("a time of day is over by the person's clock, not by the host's", async () => {
  // It is 19:00; the hosts show 18:50 and 19:10.
  expect(await botAhead(-10 * MINUTE).plan('today 18:55')).toContain('is in the past');
  expect(await botAhead(10 * MINUTE).plan('today 19:05')).toContain('in the time zone');
});

test('the time in a zone is the one there, with a clock that is 10 min behind', async () => {
  expect(await botAhead(-10 * MINUTE).submit('timezone', { zone: 'Europe/Berlin' })).toContain(
    'It is 20:00 there',
  );
});
