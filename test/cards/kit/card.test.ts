import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCard } from '../../../src/cards/kit/card.ts';
import { breaches } from '../../support/embed-limits.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const lines = fc.array(
  fc.string({ maxLength: 300 }).map((text) => `x${text}`),
  { minLength: 1, maxLength: 120 },
);

/** How many entries of a list are shown or counted: one for each line, or as many as the last line says. */
function accountedFor(text: string): number {
  const shown = text.split('\n');
  const left = /^\+([\d,]+) more$/.exec(shown.at(-1) ?? '')?.[1]?.replaceAll(',', '');
  return left === undefined ? shown.length : shown.length - 1 + Number(left);
}

test('Discord accepts the embed of any content, with every entry shown or counted', () => {
  const content = fc.record({
    title: fc.string({ minLength: 1, maxLength: 400 }).filter((title) => title.trim() !== ''),
    lead: fc.array(fc.string({ maxLength: 160 }), { maxLength: 12 }),
    list: lines,
    sections: fc.array(fc.record({ name: fc.constant('Part'), lines }), { maxLength: 12 }),
  });
  fc.assert(
    fc.property(content, (said) => {
      const [made] = createCard(said, t).embeds;
      expect(breaches({ embeds: [made] })).toEqual([]);
      const lead = said.lead.join('\n').replaceAll(/^(\d+)\. /gm, '$1\\. ');
      const list = (made.description ?? '').slice(lead === '' ? 0 : lead.length + 2);
      expect(accountedFor(list)).toBe(said.list.length);
      made.fields?.forEach(({ value }, index) => {
        expect(accountedFor(value)).toBe(said.sections[index]?.lines.length);
      });
    }),
  );
});

test('a dozen long parts share all the space', () => {
  const long = Array.from({ length: 100 }, () => 'x'.repeat(20));
  const sections = Array.from({ length: 12 }, () => ({ name: 'Part', lines: long }));
  const [made] = createCard({ title: 'T', lead: [], sections }, t).embeds;
  const length = made.fields?.reduce((sum, { name, value }) => sum + name.length + value.length, 1) ?? 0;
  expect(length).toBeLessThanOrEqual(6000);
  expect(length).toBeGreaterThan(5600);
});

test('what short parts leave goes to the list', () => {
  const list = Array.from({ length: 500 }, () => 'x'.repeat(20));
  const [made] = createCard(
    { title: 'T', lead: ['Lead'], list, sections: [{ name: 'As of', lines: ['now'] }] },
    t,
  ).embeds;
  expect(made.description?.length).toBeGreaterThan(4050);
  expect(made.description?.length).toBeLessThanOrEqual(4096);
});

test('a name of one long word is cut to Discord’s limit, visibly', () => {
  const [made] = createCard({ title: '_'.repeat(300), lead: [], sections: [] }, t).embeds;
  expect(made.title).toBe(`${'\\_'.repeat(127)}…`);
});

test('a rank that begins a line is no item of a list', () => {
  const { embeds } = createCard({ title: 'Best', lead: ['14. von 56', 'am 3. Mai'], list: ['One'] }, t);
  expect(embeds[0].description).toBe('14\\. von 56\nam 3. Mai\n\nOne');
});
