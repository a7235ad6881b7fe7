import { expect } from 'vitest';
import { createClient } from '../../src/service/client.ts';
import {
  car,
  chatStatus,
  type DiscoveredNames,
  type Endpoint,
  live,
  options,
  overview,
  profile,
} from '../../src/service/endpoints.ts';
import { places } from './loopback.ts';

interface Read<Row> {
  readonly record: Row;
  readonly asOf: number;
  readonly drift: readonly string[];
  readonly discovered: readonly DiscoveredNames[];
}

/** Reads a body, as text or as the value that it would hold, as the record that the real client makes of it. */
export async function readAs<Params, Row>(
  endpoint: Endpoint<Params, Row>,
  asked: NoInfer<Params>,
  sent: unknown,
): Promise<Read<Row>> {
  const body: unknown = JSON.parse(typeof sent === 'string' ? sent : JSON.stringify(sent));
  const drift: string[] = [];
  const discovered: DiscoveredNames[] = [];
  const { get } = createClient({
    places,
    layer: async (call) => {
      const used = call.pickUsedPart(body);
      return { body: used, asOf: call.trueAt(used) ?? 1, stale: null, rate: null };
    },
    onDrift: (name, fields) => drift.push(...fields.map((field) => `${name} ${field}`)),
    onDiscoveredNames: (discoveredNames) => discovered.push(discoveredNames),
  });
  const { record, asOf } = await get(endpoint, asked);
  expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  return { record, asOf, drift, discovered };
}

export const readProfile = (body: object) =>
  readAs(profile, { username: 'alice' }, { username: 'Alice', ...body });
export const readCar = (body: unknown) => readAs(car, { vin: 'ab12c' }, body);
export const readOptions = (body: unknown) => readAs(options, { username: 'alice' }, body);
export const readOverview = (body: unknown) => readAs(overview, {}, body);
export const readLive = (body: unknown) => readAs(live, { server: 'one' }, body);
export const readChat = (body: unknown) => readAs(chatStatus, {}, body);

/** What the reading of a broken body rejects with. */
export const broken = { fault: 'bad-response' };

export const second = 1_700_000_000;
