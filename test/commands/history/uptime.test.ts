import { expect, test } from 'vitest';
import uptime from '../../../commands/history/uptime.ts';
import { contextOf } from '../../support/context.ts';
import { noHistory } from '../../support/no-history.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';
import { NOON } from '../../support/records.ts';

const DAY = 86_400_000;

/** Asked for by a person, with what they asked history for. */
function asked() {
  const questions: (readonly [string | null, number])[] = [];
  const { history } = noHistory;
  const known: Awaited<ReturnType<typeof history.uptime>> = {
    runs: [{ from: NOON - DAY, to: NOON, isUp: true }],
    outages: [],
  };
  const context = contextOf({
    history: {
      ...history,
      async uptime(server: string | null, { from, to }: { from: number; to: number }) {
        questions.push([server, (to - from) / DAY]);
        return known;
      },
    },
  });
  return { questions, context };
}

test('/uptime asks for thirty days of a server, and its buttons for others of the same', async () => {
  const { questions, context } = asked();
  const reply = await uptime.run({ server: 'two', span: null }, context);
  expect(reply.embeds?.[0]?.title).toBe('Uptime · Two · 30 days');
  const ids = rowsOf(reply).flatMap(({ components }) => components.map(({ custom_id: id }) => id));
  expect(ids.slice(0, 3)).toEqual(['1:uptime:week:two', '1:uptime:month:two', '1:uptime:year:two']);
  await press(uptime, { action: 'year', subject: 'two' }, context);
  expect(questions).toEqual([
    ['two', 30],
    ['two', 365],
  ]);
});

test('/uptime of the data service is its own', async () => {
  const { questions, context } = asked();
  const reply = await uptime.run({ server: 'service', span: 'week' }, context);
  expect(reply.embeds?.[0]?.title).toBe('Uptime · Data service · 7 days');
  await press(uptime, { action: 'month', subject: 'service' }, context);
  expect(questions).toEqual([
    [null, 7],
    [null, 30],
  ]);
});
