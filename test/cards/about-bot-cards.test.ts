import type { APIEmbed } from 'discord-api-types/v10';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BudgetFigures, budgetCard } from '../../src/cards/about/budget-card.ts';
import { type Diagnosis, diagnosisCard } from '../../src/cards/about/diagnosis-card.ts';
import { helpCard } from '../../src/cards/about/help-card.ts';
import { languages } from '../../src/i18n/languages.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { quietBudget } from '../support/about-bot.ts';
import { breaches } from '../support/embed-limits.ts';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
const NOON = 1_795_176_000_000;

function read({ title, description, fields = [] }: APIEmbed): string {
  return [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
}

function budget(changes: Partial<BudgetFigures>): string {
  return read(budgetCard({ ...quietBudget, ...changes }, NOON, t).embeds[0]);
}

describe('the budget', () => {
  test('of another key is told in its own figures', () => {
    const told = budget({ limit: 5000, windowMs: 7_200_000, reserve: 833, otherUsage: 12 });
    expect(told).toContain('5,000 requests in any 2 hr');
    expect(told).toContain('833 requests');
    expect(told).toContain('12 requests');
  });

  test('says who has used it', () => {
    const told = budget({ spent: { interactive: 30, background: 150 } });
    expect(told).toMatch(/▰▰▰▱▱▱▱▱▱▱ 180 of 720/);
    expect(told).toMatch(/By people: 30/);
    expect(told).toMatch(/background work: 150/);
    expect(told).toMatch(/540 requests left/);
  });

  test.each([
    ['is open', { remaining: 1 }, /🟢 Open: 1 request left/],
    [
      'is used up by ourselves',
      { spent: { interactive: 720, background: 0 }, nextReleaseMs: 61_001 },
      /🟠 .*<t:1795176062:R>/,
    ],
    ['is used up by others', { remaining: 0 }, /🟠 .*others/],
    ['is closed', { closedMs: 90_000, remaining: 0, refusals: 2 }, /🔴 .*again <t:1795176090:R>/],
  ] as const)('that %s says so first', (_how, changes, first) => {
    expect(budget(changes).split('\n')[1]).toMatch(first);
  });

  test('counts refusals in words', () => {
    expect(budget({})).toMatch(/Never/);
    expect(budget({ refusals: 1 })).toMatch(/\n1 time\n/);
    expect(budget({ refusals: 3 })).toMatch(/\n3 times\n/);
  });
});

const healthy: Diagnosis = {
  version: '1.2.3',
  startedAt: NOON - 60_000,
  latencyMs: 41.6,
  sources: [
    { name: 'profile', goodAsOf: NOON - 5000, lastFault: null },
    { name: 'live/one', goodAsOf: NOON - 5000, lastFault: { fault: 'unavailable', at: NOON - 9000 } },
    { name: 'car', goodAsOf: NOON - 9000, lastFault: { fault: 'bad-response', at: NOON - 5000 } },
    { name: 'options', goodAsOf: null, lastFault: null },
  ],
  cache: { asked: 200, kept: 150 },
  bugs: [{ id: 'ab12cd34', command: 'car', kind: 'TypeError', at: NOON - 1000 }],
  budget: quietBudget,
  boards: [
    { channelId: '11', access: { kind: 'open' } },
    { channelId: '12', access: { kind: 'missing', rights: ['SendMessages', 'EmbedLinks'] } },
    { channelId: '13', access: { kind: 'unknown-channel' } },
  ],
};

describe('the diagnosis', () => {
  const told = read(diagnosisCard(healthy, NOON, t).embeds[0]);

  test('names the bot and its connection', () => {
    expect(told).toMatch(/\*\*Version\*\* 1\.2\.3/);
    expect(told).toMatch(/\*\*Started\*\* <t:1795175940:R>/);
    expect(told).toMatch(/42 ms/);
  });

  test('names each permission that a board lacks', () => {
    expect(told).toMatch(/<#11> ✅/);
    expect(told).toMatch(/<#12> ⛔ missing \*\*Send Messages, Embed Links\*\*/);
    expect(told).toMatch(/<#13> ⛔ the channel is gone/);
  });

  test('tells the age of every source, and which of them fails now', () => {
    expect(told).toMatch(/🟢 \*\*Profiles\*\* <t:1795175995:R>$/m);
    expect(told).toMatch(/🟢 \*\*Live file: one\*\* .* last failure <t:1795175991:R>: no answer/);
    expect(told).toMatch(/🔴 \*\*Cars\*\* .*unreadable/);
    expect(told).toMatch(/⚪ \*\*Options\*\* none since start/);
  });

  test('tells budget, cache and the errors by their numbers', () => {
    expect(told).toMatch(/720 requests left/);
    expect(told).toMatch(/75% of 200 questions/);
    expect(told).toMatch(/`ab12cd34` · <t:1795175999:R> · \/car · TypeError/);
  });

  test('fits into what chat takes, whatever there is to tell', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 5 }),
        fc.nat(40),
        fc.double(),
        fc.constantFrom(...languages),
        (kinds, boards, odd, language) => {
          const card = diagnosisCard(
            {
              ...healthy,
              latencyMs: odd,
              startedAt: odd,
              sources: healthy.sources.map((source) => ({ ...source, goodAsOf: odd })),
              bugs: kinds.map((kind) => ({ id: 'ab12cd34', command: kind, kind, at: odd })),
              boards: Array.from({ length: boards }, (_, n) => ({
                channelId: String(10n ** 18n + BigInt(n)),
                access: { kind: 'missing', rights: ['ViewChannel', 'Unheard of'] },
              })),
              budget: { ...quietBudget, otherUsage: odd, nextReleaseMs: odd, limit: Math.abs(odd) || 1 },
            },
            NOON,
            translatorFor(language),
          );
          expect(breaches(card)).toEqual([]);
          expect(JSON.stringify(card)).not.toMatch(/undefined|null|\[object/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('help', () => {
  const car = { name: 'car', description: 'car.description', example: 'car.example' } as const;

  test('shows how each command is typed and what it is for', () => {
    const told = read(
      helpCard([car, { name: 'mute', description: 'budget.description' }], null, t).embeds[0],
    );
    expect(told).toContain('`/car vin:AB12C`\nA car by its VIN');
    expect(told).toContain('`/mute`\nHow many requests');
    expect(told).not.toMatch(/https/);
  });

  test('leads to the README where somebody has said where that is', () => {
    expect(read(helpCard([car], 'https://example.org/readme', t).embeds[0])).toContain(
      'https://example.org/readme',
    );
  });

  test('fits with as many commands as chat takes', () => {
    for (const language of languages)
      expect(
        breaches(helpCard(Array(100).fill(car), 'https://example.org', translatorFor(language))),
      ).toEqual([]);
  });
});
