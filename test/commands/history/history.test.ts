import { expect, test } from 'vitest';
import { z } from 'zod';
import busy from '../../../commands/history/busy.ts';
import history from '../../../commands/history/history.ts';
import timezone from '../../../commands/people/timezone.ts';
import { UserError } from '../../../src/base/errors.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { type Actions, findPressedAction } from '../../../src/command-kit/action.ts';
import { typedZone } from '../../../src/command-kit/command-options/time-zone.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { Stretch } from '../../../src/community/history/history.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import type { Overview } from '../../../src/service/models/overview.ts';
import { contextOf } from '../../support/context.ts';
import { noHistory } from '../../support/no-history.ts';
import { countsOf, weekOf } from '../../support/past.ts';
import { NOON } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const HOUR = 60 * 60_000;
const t = createTranslators()('en-GB');
const nobody = { server: null, span: null };

function setUp(locale = 'de') {
  const asked: (readonly [place: string, about: Stretch | string])[] = [];
  const context = contextOf({
    person: { locale },
    history: {
      ...noHistory.history,
      async counts(place, stretch) {
        asked.push([place, stretch]);
        return countsOf(stretch);
      },
      async week(place, zone) {
        asked.push([place, zone]);
        return weekOf((day, hour) => day + hour);
      },
    },
  });
  return { asked, context };
}

const text = (reply: Reply): string => reply.embeds?.[0]?.description ?? '';

const labels = (reply: Reply): readonly string[] =>
  (reply.components ?? []).flatMap(({ components }) =>
    components.flatMap((each) => z.object({ label: z.string() }).safeParse(each).data?.label ?? []),
  );

/** What comes of pressing the button with that label. */
async function press(
  reply: Reply,
  label: string,
  actions: Actions | undefined,
  context: Context,
): Promise<Reply> {
  const ids = (reply.components ?? []).flatMap(({ components }) =>
    components.flatMap(
      (each) => z.object({ custom_id: z.string(), label: z.literal(label) }).safeParse(each).data ?? [],
    ),
  );
  const id = readCustomId(ids[0]?.custom_id ?? '');
  const run = id === null ? null : findPressedAction(actions ?? {}, id, []);
  if (run === null) throw new Error(`no button ${label} that works`);
  return run(context);
}

test('/history without options is about all servers and 24 hours, with no request', async () => {
  const { asked, context } = setUp();
  const reply = await history.run(nobody, context);
  expect(asked).toEqual([['all', { from: NOON - 24 * HOUR, to: NOON }]]);
  expect(reply.picture?.chart.kind).toBe('lines');
  expect(text(reply)).toContain('**Peak**');
});

test('names the listed servers that nobody sees, as far as that is known', async () => {
  const { context } = setUp();
  const line = "I can't see who is on **Events** and **Training**.";
  expect(text(await history.run(nobody, context))).toContain(line);
  expect(text(await busy.run({ server: null }, context))).toContain(line);
  expect(text(await history.run({ ...nobody, server: 'one' }, context))).not.toContain("I can't see");
  const only = { name: 'Drift', online: true, track: null, trackName: null, guests: 1, maxGuests: 2 };
  const listed = (record: Overview): Context => ({
    ...context,
    poll: { facts: { ...noFacts, overview: { record, asOf: NOON } } },
  });
  const one = { ...only, name: 'one' };
  expect(text(await history.run(nobody, listed([one, only])))).toContain("I can't see who is on **Drift**.");
  expect(text(await history.run(nobody, listed([one])))).not.toContain("I can't see");
});

test('/history takes a server and a span, and its buttons change the span', async () => {
  const { asked, context } = setUp();
  const reply = await history.run({ ...nobody, server: 'two', span: 'month' }, context);
  await press(reply, '7 days', history.actions, context);
  await press(reply, 'Refresh', history.actions, { ...context, now: NOON + HOUR });
  expect(asked).toEqual([
    ['two', { from: NOON - 30 * 24 * HOUR, to: NOON }],
    ['two', { from: NOON - 7 * 24 * HOUR, to: NOON }],
    ['two', { from: NOON - 30 * 24 * HOUR + HOUR, to: NOON + HOUR }],
  ]);
});

test('shows hours in UTC, and says so beside a button that chooses a zone', async () => {
  const { asked, context } = setUp('pl');
  const reply = await busy.run({ server: null }, context);
  expect(asked).toEqual([['all', 'UTC']]);
  expect(text(reply)).toContain('Hours in UTC.');
  expect(labels(reply)).toContain('My time zone');
  expect(reply.picture?.chart.kind).toBe('heat-map');
});

test('a time zone is remembered, for both commands and their buttons', async () => {
  const { asked, context } = setUp();
  const { content } = await timezone.form.submit({ zone: 'kathmandu' }, context, {});
  expect(content).toContain('`kathmandu (Asia/Kathmandu)`. It is 17:45 there.');
  expect(await timezone.form.begin(context, {})).toEqual({ zone: 'Asia/Kathmandu' });
  const reply = await busy.run({ server: 'one' }, context);
  expect(text(reply)).toContain('Time zone: `Asia/Kathmandu`.');
  expect(labels(reply)).not.toContain('My time zone');
  expect(text(await history.run(nobody, context))).toContain('Time zone: `Asia/Kathmandu`.');
  // Of the one who presses, not of the one who asked.
  const other = { ...context, person: { ...context.person, id: '2' } };
  await press(reply, 'Refresh', busy.actions, other);
  expect(asked.at(-1)).toEqual(['one', 'UTC']);
});

test('the zone of the server is for those who have not named theirs', async () => {
  const { asked, context } = setUp();
  await context.store.guildSettings.change('7', { timeZone: 'Europe/Oslo' });
  const reply = await busy.run({ server: null }, context);
  expect(text(reply)).toContain('Time zone: `Europe/Oslo`.');
  expect(labels(reply)).toContain('My time zone');
  await context.store.timeZones.set('1', 'Asia/Tokyo');
  await busy.run({ server: null }, context);
  expect(asked.map(([, zone]) => zone)).toEqual(['Europe/Oslo', 'Asia/Tokyo']);
});

test('a zone that there is not is refused', async () => {
  const { context } = setUp();
  await expect(timezone.form.submit({ zone: 'Middle Earth' }, context, {})).rejects.toThrow('I know no city');
  expect(await context.store.timeZones.of('1')).toBeNull();
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [' europe/berlin ', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['UTC', 'UTC'],
])('as a time zone, %s is %s', (typed, zone) => {
  expect(typedZone(typed, t)).toBe(zone);
});

test.each(['Middle/Earth', '+02:00', 'Ber', '__proto__', 'x'.repeat(6000)])('%s is no time zone', (typed) => {
  expect(() => typedZone(typed, t)).toThrow(UserError);
});
