import { expect, test } from 'vitest';
import { rolesCard, rolesPreviewCard, ruleCard } from '../../../../commands/roles/cards/roles-card.ts';
import type { ListedRule } from '../../../../commands/roles/models/rule.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { controls, rowsOf } from '../../../support/readable.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');
const rule: ListedRule = {
  ...{ role: '7', when: { kind: 'proved' }, keep: false, linked: false, madeBy: '', locale: 'en', since: 0 },
  ...{ paused: null, ending: false, holders: 0, qualify: [], theirs: [], unknown: 0 },
};
const nameOfRole = (id: string) => (id === '7' ? 'Veteran' : null);
const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at));

test.each([
  [{}, 'No one qualifies yet'],
  // Somebody else gave it: the rule has no holder, and is right all the same.
  [{ qualify: ['1'], theirs: ['1'] }, '1 qualifies: <@1> (has it already)'],
  [{ qualify: ['2', '1'], theirs: ['1'], holders: 1 }, '2 qualify: <@2>, <@1> (has it already)'],
  [{ qualify: ids(9), holders: 9 }, '9 qualify: <@0>, <@1>, <@2>, <@3>, <@4> and 4 more'],
])('a list of rules with %j says: %s', (changes, says) => {
  const { embeds } = rolesCard([{ ...rule, ...changes }], { lastRun: null, nameOfRole }, t);
  expect(embeds[0].description).toContain(`\n-# ${says}`);
});

test('a menu below the list chooses a rule by the name of its role and what earns it', () => {
  const licence = { ...rule, role: '8', when: { kind: 'licence', type: '*x*'.repeat(21) } } as const;
  const card = rolesCard([rule, licence], { lastRun: null, nameOfRole }, t);
  expect(breaches(card)).toEqual([]);
  expect(rowsOf(card)[0]?.components[0]?.options).toEqual([
    { label: '@Veteran', description: 'a verified driver', value: '7' },
    { label: '@8', description: `licence ${'*x*'.repeat(21)}`, value: '8' },
  ]);
  expect(rolesCard([], { lastRun: null, nameOfRole }, t).components).toEqual([]);
});

test('a rule has buttons for what can be done with it, if their ids hold it', () => {
  const labels = (subject: string) => {
    const card = ruleCard(rule, { command: 'roles add', action: 'form', subject }, t);
    expect(breaches(card)).toEqual([]);
    return controls(card).map(({ label }) => label);
  };
  expect(labels('7,proved,,,')).toEqual(['Change', 'Remove', '◀ Back']);
  expect(labels('x'.repeat(90))).toEqual(['Remove', '◀ Back']);
});

test('a preview names who has the role already, and fits with a thousand of each kind', () => {
  const preview = { ...rule, gains: [], loses: [], has: [], perhaps: 0 };
  const said = (changes: object) => rolesPreviewCard([{ ...preview, ...changes }], t).embeds[0].description;
  expect(said({ has: ['1', '2'] })).toMatch(/driver\n✔ <@1> \(has it already\), <@2> \(has it already\)$/);
  expect(said({})).toMatch(/➕ no one$/);
  expect(said({ loses: ['1'] })).not.toContain('➕');
  expect(said({ perhaps: 1 })).toContain('➕ 1 more, if they are a member');
  expect(said({ gains: ['1'], perhaps: 3 })).toContain('➕ <@1> · up to 3 more, if they are members');
  const many = { ...preview, gains: ids(1000), loses: ids(1000), has: ids(1000) };
  expect(breaches(rolesPreviewCard(Array(20).fill(many), t))).toEqual([]);
});
