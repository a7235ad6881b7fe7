import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetCard } from '../../../../commands/help/cards/budget-card.ts';
import { diagnosisCard } from '../../../../commands/help/cards/diagnosis-card.ts';
import { helpCard } from '../../../../commands/help/cards/help-card.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { languages } from '../../../../src/base/languages.ts';
import type { Diagnosis } from '../../../../src/command-kit/diagnosis.ts';
import type { BudgetSnapshot } from '../../../../src/service/budget/budget-snapshot.ts';
import { createCallStatistics } from '../../../../src/service/call-statistics.ts';
import { diagnosedBoards, listedBoard, quietBudget } from '../../../support/about-bot.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { createTranslators } from '../../../support/translators.ts';

type Helped = Parameters<typeof helpCard>[0][number];

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
const NOON = 1_795_176_000_000;

function read({ title, description, fields = [] }: APIEmbed): string {
  return [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
}

function budget(changes: Partial<BudgetSnapshot>): string {
  return read(budgetCard({ ...quietBudget, ...changes }, true, t).embeds[0]);
}

describe('the budget', () => {
  const now = { waitMs: 0, reason: null };

  test('of another key is shown with its own figures', () => {
    const told = budget({ limit: 5000, windowMs: 7_200_000, available: 4988, otherUsage: 12 });
    expect(told).toContain('5,000 requests within 2\u00a0h');
    expect(told.match(/4,988 requests/g)).toHaveLength(1);
    expect(told).toContain('at least 12');
  });

  test('says to a driver what is left, and not who has used the rest', () => {
    const { description, fields } = budgetCard({ ...quietBudget, available: 400 }, false, t).embeds[0];
    expect(description).toContain('400 requests left');
    expect(description).toContain('at most a tenth of all requests');
    expect(fields).toEqual([]);
  });

  test('says who has used it and who may use the rest, and every figure adds up', () => {
    const told = budget({
      spent: { interactive: 30, background: 150 },
      otherUsage: 100,
      heldBack: 40,
      available: 400,
      availableToBackground: 280,
    });
    expect(told).toMatch(/▰▰▰▱▱▱▱▱▱▱ 180 of 720\nBy people: 30\nBy boards .*: 150/);
    expect(told).toMatch(/Left\nFor boards: 280\nKept for people: 120/);
    expect(told).toMatch(
      /Not available\n140 requests\nUsed by others .*: at least 100\nKept as a margin.*: 40/,
    );
  });

  test('does not blame others for what the service withholds, nor rules them out', () => {
    const told = budget({
      spent: { interactive: 3, background: 0 },
      heldBack: 129,
      available: 588,
      otherUsage: 0,
    });
    expect(told).toMatch(/Not available\n129 requests\nKept as a margin, or not granted yet: 129/);
    expect(told).not.toMatch(/others/i);
    expect(budget({ heldBack: 0, otherUsage: 0 })).not.toContain('Not available');
  });

  test.each([
    ['is open', { available: 1 }, /🟢 Open: 1 request left/],
    [
      'is open for one request that finds out',
      { available: 0, next: { interactive: now, background: now } },
      /🟢 Open: 1 request left/,
    ],
    [
      'is used up by ourselves',
      { next: { interactive: { waitMs: 61_001, reason: 'spent' }, background: now } },
      /🟠 Used up: next request in 62 seconds/,
    ],
    [
      'is not granted by the service',
      { next: { interactive: { waitMs: 500_000, reason: 'headers' }, background: now } },
      /🟠 .*no requests left for me.* in 9 minutes/,
    ],
    [
      'is being found out',
      { next: { interactive: { waitMs: 250, reason: 'probe' }, background: now } },
      /🟡 One request is checking/,
    ],
    [
      'is closed',
      { next: { interactive: { waitMs: 90_000, reason: 'closed' }, background: now }, refusals: 2 },
      /🔴 .*refused.* in 90 seconds/,
    ],
  ] as const)('that %s says so first', (_how, changes, first) => {
    expect(budget(changes).split('\n')[1]).toMatch(first);
  });

  test('names one time for the next request, and the time of a freed one if it differs', () => {
    const freed = (interactive: BudgetSnapshot['next']['interactive']) =>
      budget({ next: { interactive, background: now }, nextReleaseMs: 3_000_000 });
    expect(freed(now)).toMatch(/Next one back\nin 50 minutes/);
    expect(freed({ waitMs: 250, reason: 'probe' })).toMatch(/Next one back\nin 50 minutes/);
    for (const reason of ['closed', 'spent', 'headers'] as const)
      expect(freed({ waitMs: 90_000, reason }).match(/in \d+ (?:second|minute)s/g)).toEqual([
        'in 90 seconds',
      ]);
  });

  test('says that boards wait although people may ask, but not that boards take turns', () => {
    const boards = (reason: 'reserve' | 'pace') =>
      budget({ next: { interactive: now, background: { waitMs: 300_000, reason } } });
    expect(boards('reserve')).toMatch(/🟢 Open.*\n🟠 Boards are waiting: next request in 5 minutes/);
    expect(boards('pace')).not.toMatch(/Boards are waiting/);
  });

  test('shows a stricter limit stated by a single answer, also in the diagnosis', () => {
    const trial = { limit: 1, windowMs: 604_800_000, endsMs: 240_000 };
    const stated = /one answer stated a stricter limit: 1 request within 168\u00a0h.* in 4 minutes/i;
    expect(budget({ trial })).toMatch(stated);
    const diagnosis = diagnosisCard({ ...healthy, budget: { ...quietBudget, trial } }, t);
    expect(read(diagnosis.embeds[0])).toMatch(stated);
  });

  test('counts refusals in words', () => {
    expect(budget({})).not.toMatch(/Refused|Next one/);
    expect(budget({ refusals: 1 })).toMatch(/\n1 time\n/);
    expect(budget({ refusals: 3 })).toMatch(/\n3 times\n/);
  });
});

const healthy: Diagnosis = {
  version: '1.2.3',
  startedAt: NOON - 60_000,
  latencyMs: 41.6,
  clockSkewMs: 30_000,
  sources: [
    { name: 'profile', goodAsOf: NOON - 5000, lastFault: null },
    { name: 'live/one', goodAsOf: NOON - 5000, lastFault: { fault: 'unavailable', at: NOON - 9000 } },
    { name: 'car', goodAsOf: NOON - 9000, lastFault: { fault: 'bad-response', at: NOON - 5000 } },
    { name: 'options', goodAsOf: null, lastFault: null },
  ],
  cache: { asked: 200, kept: 150 },
  bugs: [{ id: 'ab12cd34', command: 'car', kind: 'TypeError', at: NOON - 1000 }],
  budget: quietBudget,
  boards: diagnosedBoards,
  store: { saves: true, hasHistory: true },
};

describe('the diagnosis', () => {
  const told = read(diagnosisCard(healthy, t).embeds[0]);

  test('has a name for every endpoint and live file', () => {
    const { sources } = createCallStatistics(systemClock);
    const said = read(diagnosisCard({ ...healthy, sources: sources() }, t).embeds[0]);
    for (const { name } of sources()) expect(said).not.toContain(`**${name}**`);
    expect(said).toContain(t('diagnose.source.live', { server: 'One' }));
  });

  test('names the setting of a widget that is off, whatever failed before', () => {
    const lastFault = { fault: 'unavailable', at: NOON } as const;
    const sources = [{ name: 'chat-status', goodAsOf: NOON, isWidgetOff: true, lastFault }] as const;
    const said = read(diagnosisCard({ ...healthy, sources }, t).embeds[0]);
    expect(said).toMatch(/^⚪ .*\*Server Settings → Widget\*/m);
  });

  test('tells a live file that is missing for good from one that fails', () => {
    const fileOf = (isMissing: boolean, oneAsOf: number | null = NOON) =>
      read(
        diagnosisCard(
          {
            ...healthy,
            sources: [
              { name: 'live/one', goodAsOf: oneAsOf, lastFault: null },
              { name: 'live/two', goodAsOf: null, lastFault: { fault: 'unavailable', at: NOON, isMissing } },
            ],
          },
          t,
        ).embeds[0],
      )
        .split('\n')
        .find((line) => line.includes('Two'));
    expect(fileOf(true)).toMatch(/^⚪ .*❔ no live data$/);
    expect(fileOf(false)).toMatch(/^🔴 /);
    // While no file is answered, it is an outage.
    expect(fileOf(true, null)).toMatch(/^🔴 /);
  });

  test('says by how much the clock is wrong, beyond half a minute', () => {
    const said = (clockSkewMs: number | null) =>
      read(diagnosisCard({ ...healthy, clockSkewMs }, t).embeds[0]);
    for (const right of [null, 0, 30_000, -30_000]) expect(said(right)).not.toContain('My clock');
    expect(said(-600_000)).toMatch(/My clock is 10\smin slow/);
    expect(said(60_000)).toMatch(/My clock is 1\smin fast/);
  });

  test('says what of the store cannot be used, and nothing of one that can', () => {
    const said = (store: Diagnosis['store']) => read(diagnosisCard({ ...healthy, store }, t).embeds[0]);
    expect(said({ saves: false, hasHistory: true })).toContain(t('diagnose.savesNothing'));
    expect(said({ saves: true, hasHistory: false })).toContain(t('diagnose.withoutHistory'));
    expect(told).not.toContain("⚠️ I can't save");
    expect(told).not.toContain(t('diagnose.withoutHistory'));
  });

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

  test('shows the age of every source, and which of them fails now', () => {
    expect(told).toMatch(/🟢 \*\*Profiles\*\* <t:1795175995:R>$/m);
    expect(told).toMatch(/🟢 \*\*Live data: One\*\* .* last failure <t:1795175991:R>: no answer/);
    expect(told).toMatch(/🔴 \*\*Cars\*\* .*unreadable/);
    expect(told).toMatch(/⚪ \*\*Options\*\* none since start/);
  });

  test('shows budget, cache and the errors by their numbers', () => {
    expect(told).toMatch(/720 requests left/);
    expect(told).toMatch(/75% of 200 lookups/);
    expect(told).toMatch(/`ab12cd34` · <t:1795175999:R> · \/car · TypeError/);
  });

  test('fits into Discord’s limits, whatever there is to report', () => {
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
              boards: Array.from({ length: boards }, (_, n) =>
                listedBoard(String(10n ** 18n + BigInt(n)), {
                  access: { kind: 'missing', rights: ['ViewChannel', 'SendMessages'] },
                }),
              ),
              budget: { ...quietBudget, otherUsage: odd, nextReleaseMs: odd, limit: Math.abs(odd) || 1 },
            },
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
  const car: Helped = {
    ...{ name: 'car', subcommand: null, description: 'car.description' },
    ...{ topic: 'drivers', leads: false, id: '77', typed: '/car', example: '/car vin:AB12C' },
  };
  const profile: Helped = { ...car, name: 'profile', description: 'profile.description', leads: true };
  const create: Helped = {
    ...{ ...car, name: 'board', subcommand: 'create', description: 'board.description' },
    ...{ topic: 'guild', id: '78', example: null },
  };
  const told = (commands: readonly Helped[], readme: string | null = null) =>
    read(helpCard(commands, readme, t).embeds[0]);

  test('lets commands be tapped, below their topics, the leading one first', () => {
    const edit = { ...create, subcommand: 'edit', typed: '/board edit' };
    const lines = told([create, { ...car, topic: 'guild' }, car, profile, edit]).split('\n');
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(lines[at('Drivers and cars') + 1]).toMatch(/^<\/profile:77> \S/);
    expect(lines[at('Drivers and cars') + 2]).toBe('`/car vin:AB12C`');
    expect(lines[at('Drivers and cars') + 3]).toBe('</car:77>');
    expect(lines[at('Manage Server') + 1]).toBe('</car:77>');
    // The subcommands of one command share a line.
    expect(lines[at('Manage Server') + 2]).toBe('</board create:78> · edit');
    expect(at('Manage Server')).toBeGreaterThan(at('</car:77>'));
    expect(told([car])).not.toMatch(/Manage Server|https/);
  });

  test('names a command as the reader types it where nobody knows its id', () => {
    expect(told([{ ...car, id: null, typed: '/auto', example: null }])).toContain(' `/auto`');
  });

  test('has a row for a heading and its only command', () => {
    expect(told([profile, car, { ...create, topic: 'bot' }]).split('\n')).toContain(
      '**About me** </board create:78>',
    );
  });

  test('links to the README where one is configured', () => {
    expect(told([car], 'https://example.org/readme')).toContain('(https://example.org/readme)');
  });

  test('fits with as many commands as Discord allows', () => {
    for (const language of languages)
      expect(
        breaches(helpCard(Array(100).fill(car), 'https://example.org', translatorFor(language))),
      ).toEqual([]);
  });
});
