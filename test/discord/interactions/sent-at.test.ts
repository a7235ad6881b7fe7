/** Times that are typed count by the clock of Discord. Convoys try their own. */
import { ComponentType, InteractionType } from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import timezone from '../../../commands/people/timezone.ts';
import { MINUTE } from '../../../src/base/duration.ts';
import { botAhead } from '../../support/bot-ahead.ts';

const commands = new Map([['timezone', timezone]]);

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-28T19:00:00Z') }));
afterEach(() => void vi.useRealTimers());

test('the time in a zone is the one there, with a clock that is 10 min behind', async () => {
  const component = { type: ComponentType.TextInput, custom_id: 'zone', value: 'Europe/Berlin' };
  const answer = await botAhead(commands, -10 * MINUTE).ask({
    type: InteractionType.ModalSubmit,
    data: { custom_id: '1:timezone:form:', components: [{ type: ComponentType.Label, component }] },
  });
  expect(answer).toContain('It is 20:00 there');
});
