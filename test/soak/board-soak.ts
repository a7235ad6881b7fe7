/** Random days of a board, as many as are asked for: `npm run soak -- board <days> <first seed>`. Ends with 1 where one went wrong. */
import { type Day, runDay } from './day.ts';
import { wrongs } from './verdict.ts';

const [days = 20, first = 1] = process.argv.slice(2).map(Number);
const all: Day[] = [];
let failed = false;
for (let seed = first; seed < first + days; seed += 1) {
  const day = await runDay(seed);
  all.push(day);
  const wrong = wrongs(day);
  failed ||= wrong.length > 0;
  const slowest = Object.entries(day.recovery).toSorted(([, a], [, b]) => b - a)[0];
  process.stdout.write(
    `seed ${seed}: ${day.faults} faults, ${day.edits} edits for ${day.states} states, doubled ${day.doubledFor} s, ` +
      `${day.invalid} refusals in 10 min, slowest recovery ${slowest?.[1]} s (${slowest?.[0]})` +
      `${wrong.length === 0 ? '' : `  WRONG: ${wrong.join('; ')}`}\n`,
  );
}

const sum = (of: (day: Day) => number): number => all.reduce((total, day) => total + of(day), 0);
const most = (of: (day: Day) => number): number => Math.max(...all.map(of));
const kinds = new Set(all.flatMap(({ recovery }) => Object.keys(recovery)));
process.stdout.write(`
days                                 ${all.length}
faults                               ${sum(({ faults }) => faults)}
boards lost                          ${sum(({ lost }) => lost)}
doubled, longest                     ${most(({ doubledFor }) => doubledFor)} s
older states after newer ones        ${sum(({ olderAfterNewer }) => olderAfterNewer)}
shown empty by mistake               ${sum(({ falselyEmpty }) => falselyEmpty)}
edits                                ${sum(({ edits }) => edits)}
states that could be told apart      ${sum(({ states }) => states)}
refusals in any 10 minutes, most     ${most(({ invalid }) => invalid)}

recovery after the end of a fault, longest
${[...kinds]
  .toSorted()
  .map((kind) => `  ${kind.padEnd(48)} ${most(({ recovery }) => recovery[kind] ?? 0)} s`)
  .join('\n')}
`);
process.exitCode = failed ? 1 : 0;
