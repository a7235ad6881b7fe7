import type { RateReport, ServiceError } from '../../base/errors.ts';
import { judgeFreshness } from '../../service/models/dated.ts';
import type { ProbeResult, ServiceProbe } from '../../service/probe.ts';
import { type Finding, failedFinding, passedFinding, warningFinding } from './finding.ts';

/**
 * Asks for a live file, and where that comes, for what needs the key: two requests at most, none where they cannot be
 * recorded.
 */
export async function examineService(
  service: ServiceProbe,
  { now, mayRecord }: { readonly now: () => number; readonly mayRecord: boolean },
): Promise<{
  readonly findings: readonly Finding[];
  /** The service's clock minus ours, in ms; null if it gave no time. */
  readonly aheadMs: number | null;
}> {
  const live = await service.live();
  const aheadMs = live.rate?.date === null || live.rate === null ? null : live.rate.date - now();
  const serviceFinding = liveFinding(live, now());
  if (live.failure !== null) {
    const remedy = 'Run the doctor again once it answers; no request was spent.';
    return {
      findings: [
        serviceFinding,
        warningFinding('key', 'not checked: the data service does not answer', remedy),
      ],
      aheadMs,
    };
  }
  if (!mayRecord) return { findings: [serviceFinding, unrecorded], aheadMs };
  const overview = await service.overview();
  if (overview.failure !== null) return { findings: [serviceFinding, keyFailure(overview.failure)], aheadMs };
  const chat = await service.chatStatus();
  const last = chat.failure === null ? (chat.rate ?? overview.rate) : overview.rate;
  const requests = chat.failure?.sent === 'no' ? 1 : 2;
  return { findings: [serviceFinding, keyFinding(last, requests), chatFinding(chat)], aheadMs };
}

function liveFinding({ failure, generation, asOf }: ProbeResult, now: number): Finding {
  if (failure !== null)
    return failedFinding(
      'service',
      `SERVICE_URL does not answer as a data service (${failure.detail ?? failure.fault})`,
      'Check the address; where it is right, wait until the service is back.',
    );
  const which = generation === 'later' ? 'later (2025)' : 'first';
  if (asOf !== null && judgeFreshness({ asOf }, 'live', now) !== 'live')
    return warningFinding(
      'service',
      `answers, but its live data has stood still for ${Math.round((now - asOf) / 1000)} s`,
      'Nothing to do here: boards say how old their data is.',
    );
  return passedFinding('service', `answers, in the ${which} generation of its interface`);
}

/** The documented limit of client keys; a key bound to addresses has one of its own. */
function keyFinding(rate: RateReport | null, requests: 1 | 2): Finding {
  const spent = `this check used ${requests === 1 ? 'one request' : 'two requests'}`;
  if (rate === null || rate.limit === null || rate.windowSeconds === null)
    return passedFinding(
      'key',
      `accepted; the service does not say its limit, so 720 an hour are assumed; ${spent}`,
    );
  const isClient = rate.limit === 720 && rate.windowSeconds === 3600;
  const kind = isClient ? 'a client key' : 'an IP-restricted key, by its limit';
  const remainder = rate.remaining === null ? '' : `, ${rate.remaining} left`;
  return passedFinding(
    'key',
    `accepted: ${kind}, ${rate.limit} requests in ${rate.windowSeconds} s${remainder}; ${spent}`,
  );
}

const unrecorded = warningFinding(
  'key',
  'not checked: the request could not be recorded in the store, so it was not sent',
  'Run the doctor again once the store can be used.',
);

function keyFailure(failure: ServiceError): Finding {
  const { fault, refusal, retryAt } = failure;
  if (refusal === 'address')
    return failedFinding(
      'key',
      'SERVICE_KEY is restricted to other IP addresses than the one this machine has',
      'Allow this address in the account page of the web portal, or use a client key.',
    );
  if (refusal === 'key')
    return failedFinding(
      'key',
      'SERVICE_KEY is not accepted by the data service',
      'Copy it again from the account page of the web portal.',
    );
  if (refusal === 'command')
    return failedFinding(
      'key',
      'SERVICE_KEY may not read the overview',
      'Ask the portal for a key that may, or use a client key.',
    );
  if (fault === 'over-budget') {
    const when = retryAt === null ? 'later' : `after ${new Date(retryAt).toISOString().slice(11, 16)} UTC`;
    return warningFinding('key', 'not checked: its hourly limit is used up', `Run the doctor again ${when}.`);
  }
  if (fault === 'store-away' || fault === 'no-turn') return unrecorded;
  return misplaced('key', 'SERVICE_GAME', failure);
}

function chatFinding({ failure, isWidgetOff }: ProbeResult): Finding {
  if (isWidgetOff === true)
    return warningFinding(
      'chat status',
      'the community has switched the widget of its Discord server off, so there is no list of members',
      'Nothing to do here, unless it is yours: Server Settings, Widget.',
    );
  if (failure === null) return passedFinding('chat status', 'can be read');
  const { fault, refusal } = failure;
  if (fault === 'over-budget' || fault === 'store-away' || fault === 'no-turn')
    return warningFinding(
      'chat status',
      'not checked: no request is left for it',
      'Run the doctor again later.',
    );
  if (refusal !== null && refusal !== 'request' && refusal !== 'not-implemented')
    return failedFinding(
      'chat status',
      'SERVICE_KEY may not read it',
      'Ask the portal for a key that may; /members fails without.',
    );
  return misplaced('chat status', 'SERVICE_CHAT_PATH', failure);
}

/** The live files come, this does not: most often it is asked for at a wrong path. */
function misplaced(check: Finding['check'], setting: string, { detail, fault }: ServiceError): Finding {
  return failedFinding(
    check,
    `the data service has no usable answer below ${setting} (${detail ?? fault})`,
    `Check ${setting}; where it is right, wait until the service is well.`,
  );
}
