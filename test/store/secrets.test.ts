/** The service's key reaches no file of either store, wherever the service repeats the address that was asked. */
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../src/base/clock.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { openRecentNames } from '../../src/command-kit/names/recent-names.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import { createClient } from '../../src/service/client.ts';
import { car, options, profile } from '../../src/service/endpoints.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { listenOnFreePort } from '../support/listen.ts';
import { hasPostgres } from '../support/requirements.ts';
import { type Place, postgresPlace, sqlitePlace } from './support.ts';

const KEY = 'C4n4ry/K+y=0f%the-service';
const LIMITS = { maxRows: 100, maxBytes: 10_000_000 };

/** Every spelling in which an address may hold it; the digits of percent signs are written in either case. */
const forms = [
  KEY,
  encodeURIComponent(KEY),
  encodeURIComponent(KEY).replace(/%../g, (sign) => sign.toLowerCase()),
];

/** Answers everything with records that repeat the request, in fields that are read and in fields that are not. */
async function startParrot() {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    const asked = new URL(url).searchParams;
    const said = [url, ...forms].join(' ');
    const record = {
      username: asked.get('username') ?? 'k3nny',
      vin: asked.get('vin') ?? 'AB12C',
      nickname: said,
      type: said,
      owner: said,
      flag: url,
      request: url,
      debug: { query: said, [said]: said },
      cars: [{ vin: 'AB12C', type: said, upgrades: [{ type: said, name: said }] }],
      licenses: [{ type: said, name: said }],
      preowners: [{ buyer: said, url }],
    };
    const body = request.url?.includes('getopts') ? [{ name: said, value: url }] : record;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  const port = await listenOnFreePort(server);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe.each([
  { name: 'SQLite', make: sqlitePlace, runs: true },
  { name: 'PostgreSQL (needs postgres)', make: postgresPlace, runs: hasPostgres },
])('$name', ({ make, runs }) => {
  test.runIf(runs)('holds no byte of the key', async () => {
    const place: Place = await make();
    const parrot = await startParrot();
    const stores = await place.open();
    const recentNames = await openRecentNames(stores.namespace('seen', LIMITS), {
      now: clock.now,
      failed: (error) => {
        throw error;
      },
    });
    const transport = createTransport({ url: parrot.url, key: KEY, clock });
    const cache = createCache({ keyv: stores.namespace('answers', LIMITS), shared: true, clock });
    const service = createClient({
      layer: cache(transport.layer),
      places: { game: 'drivesim', chatPath: 'chat_status' },
      onDiscoveredNames: recentNames.learn,
    });
    const asked = await Promise.all([
      service.get(profile, { username: 'marker-of-this-test' }),
      service.get(car, { vin: 'AB12C' }).catch(faultOf),
      service.get(options, { username: 'k3nny' }).catch(faultOf),
    ]);
    expect(asked).toHaveLength(3);
    await recentNames.save();

    // What was answered did get there.
    expect((await place.holding('marker-of-this-test')).length).toBeGreaterThan(0);
    for (const form of forms) expect({ form, files: await place.holding(form) }).toEqual({ form, files: [] });
    await transport.close();
    parrot.close();
    await place.end();
  });
});

/** A record that holds the key may be refused, too. */
function faultOf(error: unknown): string {
  if (error instanceof ServiceError) return error.fault;
  throw error;
}
