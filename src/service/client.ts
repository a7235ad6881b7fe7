import { ServiceError } from '../base/errors.ts';
import type { Call, Layer } from './call.ts';
import type { DiscoveredNames, Endpoint, Observation, Places } from './endpoints.ts';
import type { Answer } from './models/dated.ts';
import { pickUsedPart, type Reading } from './models/read.ts';

/** `maxAge`: even if an older answer still counts as fresh. `priority`: `interactive` by default. */
export type Ask = Partial<Pick<Call, 'maxAge' | 'priority' | 'asker'>> & {
  /** Age up to which an answer is recent enough, in ms, even if it no longer counts as fresh. */
  readonly recentEnough?: number;
};

/**
 * The data service as the rest of the bot sees it. Rejects with a ServiceError. Rejects with a TypeError for
 * parameters that the endpoint does not allow; that is the caller's bug: validate what people type first.
 */
export interface Service {
  get<Params, Row>(endpoint: Endpoint<Params, Row>, params: NoInfer<Params>, ask?: Ask): Promise<Answer<Row>>;
}

/** Maximum characters of JSON in one answer. A garage of 300 cars, more than anyone owns, takes about 50 000. */
const MAX_ANSWER_LENGTH = 256 * 1024;

export interface ClientSettings {
  /** The layers below the client. */
  readonly layer: Layer;
  readonly places: Places;
  /** Drivers whose names are left out of lists. */
  readonly isHidden?: (username: string) => boolean;
  /** Called with the names in an answer, once for each body, without in-game names of hidden drivers. */
  readonly onDiscoveredNames?: (discoveredNames: DiscoveredNames, asOf: number) => void;
  /** Called once with each answer of the service that has one, whoever asked; never with a cached one. */
  readonly onObservation?: (observation: Observation, asOf: number) => void;
  /**
   * Called with the fields of one answer that were present but unreadable, each once, by the service's own names:
   * it changes without notice. The record is shown without them. Never passes a value.
   */
  readonly onDrift?: (endpoint: string, fields: readonly string[]) => void;
}

/** The top layer: validates the parameters, makes the call, and reads the answer as the endpoint's record. */
export function createClient({ layer, places, isHidden, onDrift, ...listeners }: ClientSettings): Service {
  const reported = new WeakSet<object>();

  /** True for a body that comes for the first time; a cached one comes again and again. */
  function isFirst(body: unknown): boolean {
    if (typeof body !== 'object' || body === null || reported.has(body)) return false;
    reported.add(body);
    return true;
  }

  return {
    async get(endpoint, input, ask = {}) {
      const checked = endpoint.params.safeParse(input);
      if (!checked.success) {
        const names = checked.error.issues.slice(0, 5).map(({ path }) => path.join('.'));
        throw new TypeError(`${endpoint.name} cannot be asked with this ${names.join(', ')}`);
      }
      const params = checked.data;
      const { name, keyed, asksByName, discoveredNames } = endpoint;
      const readAs = reader(endpoint, params);
      const call: Call = {
        endpoint: name,
        cacheKey: [name, ...endpoint.key(params)].map(encodeURIComponent).join('/'),
        path: endpoint.path(params, places),
        query: endpoint.query(params),
        keyed,
        asksByName,
        ...(ask.asker === undefined ? {} : { asker: ask.asker }),
        priority: ask.priority ?? 'interactive',
        maxAge: ask.recentEnough ?? Math.min(endpoint.ttl, ask.maxAge ?? endpoint.ttl),
        ...(endpoint.prepare === undefined ? {} : { prepare: endpoint.prepare }),
        pickUsedPart: (body) => usedPartOf(endpoint, body, onDrift),
        trueAt: (body) => {
          const record = readAs(body);
          return endpoint.trueAt?.(record) ?? null;
        },
        onFetched({ body, asOf }) {
          if (endpoint.observation !== undefined)
            listeners.onObservation?.(endpoint.observation(readAs(body)), asOf);
        },
      };
      const { body, asOf, stale } = await layer(call);
      const fullRecord = readAs(body);
      const record =
        isHidden === undefined ? fullRecord : (endpoint.withoutHidden?.(fullRecord, isHidden) ?? fullRecord);
      if (discoveredNames !== undefined && isFirst(body)) {
        const { nicknames = [], ...foundNames } = discoveredNames(record, params);
        const visibleNicknames = nicknames.filter(({ username }) => isHidden?.(username) !== true);
        listeners.onDiscoveredNames?.({ ...foundNames, nicknames: visibleNicknames }, asOf);
      }
      return { record, asOf, stale };
    },
  };
}

function reader<Params, Row>(
  { name, read, isAbout }: Endpoint<Params, Row>,
  params: Params,
): (body: unknown) => Row {
  return (body) => {
    const { record, problem } = read(body);
    if (problem !== null) throw badResponse(name, problem);
    if (isAbout?.(record, params) === false) throw badResponse(name, 'a record of another name');
    return record;
  };
}

function usedPartOf<Params, Row>(
  { name, response, read, keyed }: Endpoint<Params, Row>,
  received: unknown,
  onDrift: ClientSettings['onDrift'],
): unknown {
  const { body, reading } = keyed ? pickUsedPart(response, received) : recordOf(read(received));
  if (reading.problem !== null) throw badResponse(name, reading.problem);
  if (keyed && JSON.stringify(body).length > MAX_ANSWER_LENGTH)
    throw badResponse(name, 'an impossible amount');
  if (reading.unreadable.length > 0) onDrift?.(name, reading.unreadable);
  return body;
}

/**
 * Keyless answers come every second and are not stored. The record stands for the body: it has most of its rows in common
 * with the one before, and the body is gone at once.
 */
function recordOf<Row>(reading: Reading<Row>): { readonly body: unknown; readonly reading: Reading<Row> } {
  return { body: reading.record, reading };
}

function badResponse(endpoint: string, detail: string): ServiceError {
  return new ServiceError('bad-response', { endpoint, sent: 'yes', detail });
}
