import { ServiceError } from '../errors.ts';
import type { Asker, Call, Layer } from './call.ts';
import type { DiscoveredNames, Endpoint, Places, Priority } from './endpoints.ts';
import type { Answer } from './models/answer.ts';
import { read } from './models/read.ts';

export interface Ask {
  /** Milliseconds: an answer older than this is asked for anew even if it still counts as fresh. */
  readonly maxAge?: number;
  /** Who waits; a person unless told otherwise. */
  readonly priority?: Priority;
  /** For whom; absent where the bot asks for itself. */
  readonly asker?: Asker;
}

/**
 * The data service as the rest of the bot sees it. Rejects with a ServiceError; with a TypeError when it is asked
 * for what the endpoint's parameters do not allow, which is the caller's mistake: check what people type before.
 */
export interface Service {
  get<Asked, Params, Row>(
    endpoint: Endpoint<Asked, Params, Row>,
    asked: Asked,
    ask?: Ask,
  ): Promise<Answer<Row>>;
}

export interface ClientSettings {
  /** The layers below: cache, budget, transport. */
  readonly layer: Layer;
  readonly places: Places;
  /** Names that an answer told. */
  readonly onDiscoveredNames?: (discoveredNames: DiscoveredNames) => void;
  /**
   * Fields of one answer that were present and unreadable, each once, by the interface's names: the service
   * changes without notice. The record is shown without them. Never a value.
   */
  readonly onDrift?: (endpoint: string, fields: readonly string[]) => void;
}

/** The top layer: checks what is asked, words it as a call, and reads the answer as the endpoint's record. */
export function createClient({ layer, places, onDiscoveredNames, onDrift }: ClientSettings): Service {
  return {
    async get(endpoint, asked, ask = {}) {
      const checked = endpoint.params.safeParse(asked);
      if (!checked.success) {
        const names = checked.error.issues.slice(0, 5).map(({ path }) => path.join('.'));
        throw new TypeError(`${endpoint.name} cannot be asked with this ${names.join(', ')}`);
      }
      const params = checked.data;
      const readAs = reader(endpoint, onDrift);
      const call: Call = {
        endpoint: endpoint.name,
        cacheKey: [endpoint.name, ...endpoint.key(params)].map(encodeURIComponent).join('/'),
        path: endpoint.path(params, places),
        query: endpoint.query(params),
        keyed: endpoint.keyed,
        named: endpoint.named,
        priority: ask.priority ?? 'interactive',
        ...(ask.asker === undefined ? {} : { asker: ask.asker }),
        ttl: endpoint.ttl,
        maxAge: Math.min(endpoint.ttl, ask.maxAge ?? endpoint.ttl),
        trueAt: (body) => {
          const record = readAs(body);
          return endpoint.trueAt?.(record) ?? null;
        },
      };
      const { body, asOf, stale } = await layer(call);
      const record = readAs(body);
      if (endpoint.discoveredNames !== undefined) onDiscoveredNames?.(endpoint.discoveredNames(record));
      return { record, asOf, stale };
    },
  };
}

/** Reads bodies as one endpoint's record. A body that comes by again, as each does on its way up, is read once. */
function reader<Asked, Params, Row>(
  endpoint: Endpoint<Asked, Params, Row>,
  onDrift: ClientSettings['onDrift'],
): (body: unknown) => Row {
  let last: { readonly body: unknown; readonly record: Row } | null = null;
  return (body) => {
    if (last !== null && last.body === body) return last.record;
    const drift = new Set<string>();
    const { record, problem } = read(endpoint.response, body, (field) => drift.add(field));
    if (problem !== null) {
      throw new ServiceError('bad-response', { endpoint: endpoint.name, sent: 'yes', detail: problem });
    }
    if (drift.size > 0) onDrift?.(endpoint.name, [...drift]);
    last = { body, record };
    return record;
  };
}
