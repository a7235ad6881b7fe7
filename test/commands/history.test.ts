import { expect, test } from 'vitest';
import { z } from 'zod';
import busy from '../../commands/busy.ts';
import history from '../../commands/history.ts';
import type { Actions } from '../../src/app/action.ts';
import { pressed } from '../../src/app/action.ts';
import { timeZoneOption } from '../../src/app/command-options/time-zone.ts';
import type { Context } from '../../src/app/context.ts';
import type { Reply } from '../../src/app/reply.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';
import type { Stretch } from '../../src/history/history.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { aboutBot } from '../support/about-bot.ts';
import { noHistory } from '../support/no-history.ts';
import { noNames } from '../support/no-names.ts';
import { countsOf, weekOf } from '../support/past.ts';
import { peopleInMemory } from '../support/people.ts';
import { NOON } from '../support/records.ts';

const HOUR = 60 * 60_000;
const nobody = { server: null, span: null, timezone: null };

function setUp(locale = 'de') {
  const asked: (readonly [place: string, about: Stretch | string])[] = [];
  const context: Context = {
    service: {
      async get({ name }) {
        throw new ServiceError('unavailable', { endpoint: name, sent: 'no' });
      },
    },
    recentNames: noNames,
    t: createTranslators()('en-GB'),
    person: { id: '1', guildId: '7', channelId: '8', mayManage: false, locale },
    now: NOON,
    ...peopleInMemory(),
    ...noHistory,
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
    bot: aboutBot(),
  };
  return { asked, context };
}

const text = (reply: Reply): string => reply.embeds?.[0]?.description ?? '';

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
  const run = id === null ? null : pressed(actions ?? {}, id, []);
  if (run === null) throw new Error(`no button ${label} that works`);
  return run(context);
}

test('/history without options is about all servers and the last 24 hours, and asks the data service nothing', async () => {
  const { asked, context } = setUp();
  const reply = await history.run(nobody, context);
  expect(asked).toEqual([['all', { from: NOON - 24 * HOUR, to: NOON }]]);
  expect(reply.picture?.chart.kind).toBe('lines');
  expect(text(reply)).toContain('**Peak**');
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

test('/busy is in the zone of the reader’s language, and says how to choose another', async () => {
  const { asked, context } = setUp('pl');
  const reply = await busy.run({ server: null, timezone: null }, context);
  expect(asked).toEqual([['all', 'Europe/Warsaw']]);
  expect(text(reply)).toContain('Time zone: `Europe/Warsaw`. Choose your own with `timezone`.');
  expect(reply.picture?.chart.kind).toBe('heat-map');
});

test('a time zone is remembered, for both commands and their buttons', async () => {
  const { asked, context } = setUp();
  const reply = await busy.run({ server: 'one', timezone: 'Asia/Kathmandu' }, context);
  expect(text(reply)).toContain('Time zone: `Asia/Kathmandu`, saved as yours.');
  expect(text(await history.run(nobody, context))).toContain('Time zone: `Asia/Kathmandu`.');
  await press(reply, 'Refresh', busy.actions, context);
  expect(asked.at(-1)).toEqual(['one', 'Asia/Kathmandu']);
  // Of the one who presses, not of the one who asked.
  await press(reply, 'Refresh', busy.actions, { ...context, person: { ...context.person, id: '2' } });
  expect(asked.at(-1)).toEqual(['one', 'Europe/Berlin']);
});

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [' europe/berlin ', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['UTC', 'UTC'],
])('as a time zone, %s is %s', (typed, zone) => {
  expect(timeZoneOption.schema.parse(typed)).toBe(zone);
});

test.each(['', 'Middle/Earth', '+02:00', 'Ber', '__proto__', 'x'.repeat(6000)])(
  '%s is no time zone',
  (typed) => {
    expect(timeZoneOption.schema.safeParse(typed).success).toBe(false);
  },
);

test('zones are suggested by any part of their name, the usual one first', () => {
  const seen = { recentNames: setUp().context.recentNames, t: createTranslators()('tr'), own: null };
  const values = (typed: string) => timeZoneOption.complete(typed, seen).map(({ value }) => value);
  expect(values('')[0]).toBe('Europe/Istanbul');
  expect(values('new y')).toContain('America/New_York');
  expect(values('nowhere')).toEqual([]);
});
