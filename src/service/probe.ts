import type { Clock } from '../base/clock.ts';
import { type RateReport, ServiceError } from '../base/errors.ts';
import { createBudget } from './budget/budget.ts';
import type { Ledger } from './budget/ledger/ledger.ts';
import type { Layer } from './call.ts';
import { createClient } from './client.ts';
import { chatStatus, type Endpoint, live, overview, type Places } from './endpoints.ts';
import { isWidgetOff } from './models/chat-status.ts';
import { createTransport } from './transport/transport.ts';

/** Result of one request to the data service. */
export interface ProbeResult {
  /** Null for a readable answer. */
  readonly failure: ServiceError | null;
  readonly rate: RateReport | null;
  /** The answer says so in place of the members. */
  readonly isWidgetOff?: boolean;
  /** Generation of the service, by the shape of a live file; null for other reads. */
  readonly generation: 'first' | 'later' | null;
  /** Unix milliseconds at which the answer was true; null where there is none. */
  readonly asOf: number | null;
}

export type ServiceProbe = ReturnType<typeof createServiceProbe>;

/**
 * Asks the data service once for each thing, without cache and without a second try. `ledger`: of the bot that uses this
 * key, so that the requests count; null where there never was one.
 */
export function createServiceProbe(settings: {
  readonly url: string;
  readonly key: string;
  readonly places: Places;
  readonly clock: Clock;
  readonly ledger: Ledger | null;
}) {
  const { url, key, places, clock, ledger } = settings;
  const transport = createTransport({ url, key, clock });

  async function ask<Params, Row>(
    endpoint: Endpoint<Params, Row>,
    params: NoInfer<Params>,
  ): Promise<ProbeResult> {
    let rate: RateReport | null = null;
    let generation: ProbeResult['generation'] = null;
    let isOff = false;
    const once: Layer = async (call) => {
      const pickUsedPart = (body: unknown): unknown => {
        generation = generationOf(body);
        return call.pickUsedPart(body);
      };
      try {
        const fetched = await transport.layer({ ...call, pickUsedPart });
        rate = fetched.rate;
        isOff = isWidgetOff(fetched.body);
        return fetched;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        rate = error.rate;
        throw new ServiceError(error.fault, { ...error, transient: false });
      }
    };
    const layer = ledger === null ? once : createBudget({ ledger, clock })(once);
    try {
      const { asOf } = await createClient({ layer, places }).get(endpoint, params);
      return { failure: null, rate, generation, asOf, isWidgetOff: isOff };
    } catch (error) {
      if (error instanceof ServiceError) return { failure: error, rate, generation, asOf: null };
      throw error;
    }
  }

  return {
    /** A live file; needs no key. */
    live: () => ask(live, { server: 'one' }),
    /** One request of the key's budget. */
    overview: () => ask(overview, {}),
    /** One request of the key's budget. */
    chatStatus: () => ask(chatStatus, {}),
    close: () => transport.close(),
  };
}

/** The later generation keeps the players of a live file in `ps`. */
function generationOf(body: unknown): ProbeResult['generation'] {
  if (typeof body !== 'object' || body === null) return null;
  return 'ps' in body ? 'later' : 'players' in body ? 'first' : null;
}
