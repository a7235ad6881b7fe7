import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { watchClock } from '../../src/bot/jobs.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a clock that is set is one line, with how far; usual corrections are none', async () => {
  const manual = createManualClock();
  let ahead = 0;
  const clock = { ...manual, now: () => manual.now() + ahead };
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  await using resources = new AsyncDisposableStack();
  watchClock({ clock, log, resources });
  for (const by of [0, 2000, 3 * 3_600_000, 0, -400 * 86_400_000, 4000]) {
    ahead += by;
    await manual.timer(15_000);
    manual.pass(15_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(lines.flatMap((line) => /"seconds":(-?\d+)/.exec(line)?.[1] ?? [])).toEqual(['10800', '-34560000']);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('"msg":"the clock of this machine was set, or the machine slept"');
});
