/** Every endpoint is counted, told and named, and a new one is missing nowhere. */
import { expect, test } from 'vitest';
import { createCallStatistics } from '../../src/service/call-statistics.ts';
import { createClient } from '../../src/service/client.ts';
import * as rows from '../../src/service/endpoints.ts';
import { bodies, NOON, questions } from '../support/records.ts';
import { places } from './loopback.ts';
import { all } from './transport/answer-forms.ts';

const { endpoints } = rows;

test('the list has every row, each by its name', () => {
  const declared = Object.values(rows).filter((row) => typeof row === 'object' && 'path' in row);
  expect(new Set(Object.values(endpoints))).toEqual(new Set(declared));
  expect(Object.values(endpoints).map(({ name }) => name)).toEqual(Object.keys(endpoints));
});

test('every one that is asked is counted, and told with its age', async () => {
  const calls = createCallStatistics({ now: () => NOON });
  const before = calls.sources().map(({ name }) => name);
  const answers = new Map<string, unknown>(Object.entries(bodies));
  const layer = calls.fetched(async ({ endpoint }) => ({
    ...{ body: answers.get(endpoint), asOf: NOON, stale: null, rate: null },
  }));
  const { get } = createClient({ places, layer });
  for (const name of all) await questions[name](get).catch(() => {});
  const known = calls.sources().filter(({ goodAsOf }) => goodAsOf === NOON);
  const named = (name: string): string => (name === 'live' ? 'live/one' : name);
  expect(known.map(({ name }) => name).toSorted()).toEqual(all.map(named).toSorted());
  expect(calls.counts()).toEqual(all.map((endpoint) => ({ endpoint, result: 'answered', count: 1 })));
  expect(calls.sources().map(({ name }) => name)).toEqual(before);
});
