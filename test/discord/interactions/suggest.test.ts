import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import type { Suggestion } from '../../../src/command-kit/option.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { createAutocomplete } from '../../../src/discord/interactions/autocomplete.ts';
import type { Rest } from '../../../src/discord/rest/rest-client.ts';
import { codePoint } from '../../support/code-point.ts';
import { contextParts } from '../../support/context.ts';
import { createInteraction, createOfflineClient, frame } from '../../support/interaction.ts';
import { createTranslators } from '../../support/translators.ts';

const named = (value: string) => ({ name: `Car ${value}`, value });

const Offered = z.object({
  data: z.object({ choices: z.array(z.object({ name: z.string(), value: z.string() })) }),
});
const t = createTranslators()('en-GB');
const viewing = Promise.resolve({ t, settings: defaultSettings, inOwnUnit: async () => t });

/** The choices while that is typed into an option which suggests these. */
async function choices(typed: string, suggestions: readonly Suggestion[]) {
  const command = defineCommand({
    ...{ topic: 'bot', visibility: 'public', description: 'board.description' },
    options: {
      car: {
        ...{ kind: 'text', description: 'car.options.vin', required: true },
        ...{ schema: z.string(), wrong: 'input.vin', complete: () => suggestions },
      },
    },
    run: async () => ({}),
  });
  const complete = createAutocomplete({
    commands: new Map([['try', command]]),
    context: contextParts(),
    clock: systemClock,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  const sent: unknown[] = [];
  const unasked = () => Promise.reject(new Error('not asked for'));
  const rest: Rest = {
    ...{ get: unasked, put: unasked, patch: unasked, delete: unasked },
    post: async (_route, { body } = {}) => void sent.push(body),
  };
  const interaction = createInteraction(createOfflineClient(rest), {
    ...frame,
    type: InteractionType.ApplicationCommandAutocomplete,
    data: {
      ...{ id: '5', name: 'try', type: ApplicationCommandType.ChatInput },
      options: [{ type: ApplicationCommandOptionType.String, name: 'car', value: typed, focused: true }],
    },
  });
  if (!interaction.isAutocomplete()) throw new TypeError('another kind of interaction');
  await complete(interaction, viewing);
  return Offered.parse(sent[0]).data.choices;
}

test('lists known names first, so that Enter sends one, and the typed text last', async () => {
  expect(await choices('ab', [named('ABC'), named('CAB')])).toEqual([
    named('ABC'),
    named('CAB'),
    { name: 'ab', value: 'ab' },
  ]);
});

test('the typed text has its place below any number of suggestions', async () => {
  const many = Array.from({ length: 30 }, (_, index) => named(`A${index}`));
  const offered = await choices('a', many);
  expect(offered).toHaveLength(25);
  expect(offered.at(-1)).toEqual({ name: 'a', value: 'a' });
});

test('lists a suggestion equal to the typed text first, once, under its own name', async () => {
  expect(await choices('CAB', [named('ABC'), named('CAB')])).toEqual([named('CAB'), named('ABC')]);
});

test.each(['\u3164', '\u200b', '\u2800', '\u2800 \u200b'])(
  '%j is not offered as a blank line',
  async (typed) => {
    expect(await choices(typed, [named('a')])).toEqual([named('a')]);
    expect(await choices('a', [{ name: typed, value: 'b' }, named(typed)])).toEqual([
      { name: 'b', value: 'b' },
      { name: 'a', value: 'a' },
    ]);
  },
);

test('where nothing is typed there are only suggestions', async () => {
  expect(await choices('', [named('ABC')])).toEqual([named('ABC')]);
  expect(await choices('  ', [])).toEqual([]);
});

test('Discord accepts every list of choices, and the typed text is in it', async () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 130 }),
    fc.constantFrom('', ' ', 'a'.repeat(101), '🚗'.repeat(60)),
  );
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.record({ name: text, value: text }), { maxLength: 40 }),
      async (typed, suggestions) => {
        const offered = await choices(typed, suggestions);
        expect(offered.length).toBeLessThanOrEqual(25);
        for (const { name, value } of offered) {
          for (const each of [name, value]) {
            expect(each.trim()).not.toBe('');
            expect(each.length).toBeLessThanOrEqual(100);
            expect(each.isWellFormed()).toBe(true);
          }
        }
        for (const part of ['name', 'value'] as const) {
          expect(new Set(offered.map((choice) => choice[part])).size).toBe(offered.length);
        }
        const isInvisible = /^[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(typed);
        if (!isInvisible && typed.length <= 100)
          expect([offered[0]?.value, offered.at(-1)?.value]).toContain(typed);
      },
    ),
  );
});
