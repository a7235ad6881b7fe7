/** The dashboard and the alert rules, which name metrics from outside the bot. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { TIMES_REFRESH } from '../../../src/messages/boards/pace.ts';
import { eventfulText } from './eventful.ts';
import { readMetrics } from './read-metrics.ts';

const read = (file: string): string =>
  readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8');

const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.int(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
      targets: z.array(z.object({ expr: z.string(), refId: z.string() })).min(1),
    }),
  ),
});
const { panels } = Dashboard.parse(JSON.parse(read('grafana-dashboard.json')));
const alerts = read('alerts.yaml');
const situations = readFileSync(new URL('alerts.test.yaml', import.meta.url), 'utf8');
const runbook = read('runbook.md');

/** Label values by label, by series name. Prometheus adds `job` and `instance`. */
const known = new Map<string, Map<string, Set<string>>>();
const families = readMetrics(await eventfulText());
for (const { name, type, series } of families) {
  const labels = new Map<string, Set<string>>();
  for (const one of series)
    for (const [label, value] of Object.entries(one.labels))
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
  const ends = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  for (const end of ends) known.set(`${name}${end}`, labels);
}

/** What is wrong with the metrics, labels and label values that an expression names. */
function mistakes(expression: string): readonly string[] {
  const selectors = [...expression.matchAll(/\b((?:pitwall|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  return selectors.flatMap(([, name = '', matchers = '']) => {
    const labels = known.get(name);
    if (labels === undefined) return [`no metric ${name}`];
    return [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].flatMap(([, label = '', values = '']) => {
      if (label === 'job') return [];
      const there = labels.get(label);
      if (there === undefined) return [`no label ${label} of ${name}`];
      return values
        .split('|')
        .flatMap((value) => (there.has(value) ? [] : [`no ${label} ${value} of ${name}`]));
    });
  });
}

test('a metric, a label and a value that there is not are noticed', () => {
  expect(mistakes('pitwall_boards{state="no_data"}')).toEqual(['no state no_data of pitwall_boards']);
  expect(mistakes('rate(pitwall_boards{stat="live"}[5m])')).toEqual(['no label stat of pitwall_boards']);
  expect(mistakes('pitwall_board')).toEqual(['no metric pitwall_board']);
});

describe('the dashboard', () => {
  test.each(panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)))(
    'shows under "%s" what there is: %s',
    (_title, expr) => {
      expect(expr).toMatch(/(?:pitwall|process|nodejs)_/);
      expect(mistakes(expr)).toEqual([]);
    },
  );

  test('has every panel in its own place', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  test('says of ages what the metric says', () => {
    const { help } = families.find(({ name }) => name === 'pitwall_board_age_seconds') ?? {};
    expect(read('grafana-dashboard.json')).toContain(JSON.stringify(help));
  });

  test('leaves no metric out', () => {
    const shown = read('grafana-dashboard.json');
    expect(families.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([]);
  });
});

describe('the alerts', () => {
  const rules = alerts.split(/^ +- alert: /m).slice(1);
  const nameOf = (rule: string): string => rule.split('\n', 1).join();

  test('give a quiet board ten minutes beyond those in which its times are refreshed', () => {
    const most = TIMES_REFRESH.manyMs + 10 * MINUTE;
    const [rule = ''] = rules.filter((one) => one.startsWith('PitwallBoardsOld'));
    expect(rule).toContain(`pitwall_board_age_seconds) > ${most / SECOND}\n`);
    expect(rule).toContain(`for more than ${most / MINUTE} minutes.`);
  });

  test('have a severity, and link the heading that says what to do', () => {
    expect(rules.length).toBeGreaterThan(10);
    const headings = runbook.match(/(?<=^## )Pitwall\w+$/gm) ?? [];
    expect(headings.toSorted()).toEqual(rules.map(nameOf).toSorted());
    for (const rule of rules) {
      for (const part of ['expr:', 'severity:', 'summary:']) expect(rule).toContain(part);
      expect(rule).toContain(`runbook_url: deploy/runbook.md#${nameOf(rule).toLowerCase()}\n`);
    }
  });

  test('have a section of the runbook with the same four questions', () => {
    for (const section of runbook.split(/^## (?=Pitwall)/m).slice(1))
      for (const part of ['**People notice**', '**Do**', '**Leave it alone**', '**Restart**'])
        expect(section, nameOf(section)).toContain(part);
  });

  // promtool runs them: .ci/deployment.
  test.each(rules.map(nameOf))(
    '%s has a situation in which it fires, and one in which it does not',
    (name) => {
      expect(situations).toContain(`${name} fires `);
      expect(situations).toContain(`alertname="${name}"`);
      expect(situations).toContain(`${name} stays quiet `);
    },
  );

  test.each(rules.map((rule) => [nameOf(rule), rule] as const))(
    '%s is about what there is',
    (_name, rule) => {
      expect(rule).toMatch(/(?:pitwall|process)_/);
      expect(mistakes(rule)).toEqual([]);
    },
  );
});
