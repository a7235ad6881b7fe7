import { expect, test } from 'vitest';
import type { Convoy, SignUp } from '../../../../commands/convoys/models/convoy.ts';
import {
  afterPress,
  assignPlaces,
  findRefusal,
  isForgotten,
  isReminderDue,
  isResultDue,
  MAX_SIGN_UPS,
  phaseOf,
  withResult,
} from '../../../../commands/convoys/models/decide.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';

const AT = Date.UTC(2026, 2, 6, 20);

const convoy: Convoy = {
  ...{ id: '1772827200000001', channel: '8', madeBy: '1', madeAt: AT - DAY, locale: 'en-GB', colours: true },
  ...{
    title: 'Night run',
    server: 'two',
    at: AT,
    zone: 'Europe/Berlin',
    hours: 2,
    places: null,
    weekly: false,
  },
  ...{ role: null, stage: 'open', since: AT - DAY, result: null },
  event: null,
};

const inside = (person: string, more: Partial<SignUp> = {}): SignUp => ({
  ...{ person, answer: 'in', remind: false },
  ...more,
});

test.each([
  ['a first press', [], 'in', [inside('a')]],
  [
    'maybe after in: behind the others',
    [inside('a'), inside('b')],
    'maybe',
    [inside('b'), inside('a', { answer: 'maybe' })],
  ],
  [
    'in after maybe: behind those who were quicker',
    [inside('a', { answer: 'maybe' }), inside('b')],
    'in',
    [inside('b'), inside('a')],
  ],
  ['out', [inside('a', { remind: true }), inside('b')], 'out', [inside('b')]],
  [
    'a reminder keeps the place',
    [inside('a'), inside('b')],
    'remind',
    [inside('a', { remind: true }), inside('b')],
  ],
  ['a reminder alone', [inside('b')], 'remind', [inside('b'), inside('a', { answer: null, remind: true })]],
  ['a reminder taken back', [inside('a', { remind: true })], 'remind', [inside('a')]],
  ['a reminder alone taken back leaves nothing', [inside('a', { answer: null, remind: true })], 'remind', []],
  [
    'a change of mind keeps the reminder',
    [inside('a', { remind: true })],
    'maybe',
    [inside('a', { answer: 'maybe', remind: true })],
  ],
] as const)('%s', (_what, before, press, after) => {
  expect(afterPress(before, 'a', press)).toEqual(after);
});

test.each(['in', 'maybe', 'remind'] as const)(
  'nobody more than 200 signs up by %s, and those that are there may still change',
  (press) => {
    const all = Array.from({ length: MAX_SIGN_UPS }, (_, at) => inside(String(at)));
    expect(afterPress(all, 'a', press)).toBeNull();
    expect(afterPress(all, '7', 'maybe')).toHaveLength(MAX_SIGN_UPS);
  },
);

test('a press that changes nothing is the same list, so that nothing is written', () => {
  const all = [inside('a'), inside('c')];
  expect(afterPress(all, 'a', 'in')).toBe(all);
  expect(afterPress(all, 'b', 'out')).toBe(all);
});

test('places are filled in order, the next one moves up, and a reminder takes no place', () => {
  const all = [
    inside('a'),
    inside('b', { answer: null, remind: true }),
    inside('c'),
    inside('d'),
    inside('e', { answer: 'maybe' }),
  ];
  expect(assignPlaces({ places: 2 }, all)).toEqual({ inside: ['a', 'c'], waiting: ['d'], maybe: ['e'] });
  expect(assignPlaces({ places: 2 }, afterPress(all, 'a', 'out') ?? [])).toMatchObject({
    inside: ['c', 'd'],
    waiting: [],
  });
  expect(assignPlaces({ places: null }, all)).toMatchObject({ inside: ['a', 'c', 'd'], waiting: [] });
});

test.each([
  [AT - 1, 'coming'],
  [AT, 'running'],
  [AT + 2 * HOUR - 1, 'running'],
  [AT + 2 * HOUR, 'ended'],
] as const)('at %d it is %s', (now, phase) => {
  expect(phaseOf(convoy, now)).toBe(phase);
  expect(phaseOf({ ...convoy, stage: 'cancelled' }, now)).toBe('cancelled');
});

test.each([
  [AT - 30 * MINUTE - 1, false],
  [AT - 30 * MINUTE, true],
  [AT - 1, true],
  [AT, false],
] as const)('reminders at %d are due: %j', (now, isDue) => {
  expect(isReminderDue(convoy, now)).toBe(isDue);
  expect(isReminderDue({ ...convoy, stage: 'cancelled' }, now)).toBe(false);
});

test('a result is due five minutes after the end, once, and not of a cancelled one', () => {
  const end = AT + 2 * HOUR;
  expect(isResultDue(convoy, end + 5 * MINUTE - 1)).toBe(false);
  expect(isResultDue(convoy, end + 5 * MINUTE)).toBe(true);
  for (const stage of ['over', 'cancelled'] as const)
    expect(isResultDue({ ...convoy, stage }, end + 5 * MINUTE)).toBe(false);
});

test('one that is over is kept for a day, and an open one for as long as it is open', () => {
  expect(isForgotten({ ...convoy, stage: 'over', since: AT }, AT + DAY - 1)).toBe(false);
  expect(isForgotten({ ...convoy, stage: 'over', since: AT }, AT + DAY)).toBe(true);
  expect(isForgotten(convoy, AT + 400 * DAY)).toBe(false);
});

test('results are kept for 400 days, newest first, each once, and 400 at most', () => {
  const of = (at: number, id: string) => ({ id, title: 'x', server: 'two', at, result: null });
  const old = of(AT - 400 * DAY, 'old');
  const [one, two] = [of(AT - 2 * DAY, 'one'), of(AT - DAY, 'two')];
  expect(withResult([one, old], two, AT)).toEqual([two, one]);
  expect(withResult([two, one], one, AT)).toEqual([two, one]);
  const many = Array.from({ length: 400 }, (_, at) => of(AT - DAY - at, `m${at}`));
  expect(withResult(many, of(AT, 'new'), AT)).toHaveLength(400);
});

const draft = { id: '1772827200000002', at: AT };
const others = (count: number, madeBy: string): readonly Convoy[] =>
  Array.from({ length: count }, (_, at) => ({ ...convoy, id: String(1772827200001000 + at), madeBy }));

test.each([
  ['the first', draft, [], null],
  ['no time', { ...draft, at: null }, [], 'time'],
  ['a time that is over by now', { ...draft, at: AT - HOUR }, [], 'past'],
  ['a fifth of one person', draft, others(4, 'a'), null],
  ['a sixth of one person', draft, others(5, 'a'), 'person-full'],
  ['another one beside five of somebody else', draft, others(5, 'b'), null],
  ['the fifty-first of a server', draft, others(50, 'b'), 'guild-full'],
  [
    'one beside nine that are over',
    draft,
    others(9, 'a').map((one) => ({ ...one, stage: 'over' as const })),
    null,
  ],
  [
    'one beside ten that were cancelled within a day',
    draft,
    others(10, 'a').map((one) => ({ ...one, stage: 'cancelled' as const })),
    'person-full',
  ],
  [
    'the hundred-and-first of a server within a day',
    draft,
    others(100, 'b').map((one) => ({ ...one, stage: 'cancelled' as const })),
    'guild-full',
  ],
  [
    'one beside a hundred that nobody made and that were cancelled within a day',
    draft,
    others(100, '').map((one) => ({ ...one, stage: 'cancelled' as const })),
    null,
  ],
  ['one beside fifty open ones that nobody made', draft, others(50, ''), 'guild-full'],
  ['a change of one of five', { ...draft, id: '1772827200001002' }, others(5, 'a'), null],
  [
    'a change of one that is cancelled',
    { ...draft, id: convoy.id },
    [{ ...convoy, stage: 'cancelled' as const }],
    'closed',
  ],
  [
    'a change of one that has begun',
    { ...draft, id: convoy.id },
    [{ ...convoy, at: AT - 2 * HOUR }],
    'closed',
  ],
] as const)('%s: %s', (_what, about, all, refusal) => {
  expect(findRefusal(about, 'a', all, AT - HOUR)).toBe(refusal);
});
