import type { ServiceError } from '../../base/errors.ts';
import { judgeFreshness } from '../../service/models/dated.ts';
import type { ProbeResult, ServiceProbe } from '../../service/probe.ts';
import { type Finding, type Findings, failedFinding, passedFinding, warningFinding } from './finding.ts';

/**
 * Asks for a live file, and where that comes, for what needs the key: two requests at most, none where they cannot be
 * recorded.
 */
export async function examineService(
  service: ServiceProbe,
  { now, mayRecord }: { readonly now: () => number; readonly mayRecord: boolean },
): Promise<{
  readonly findings: Findings;
  /** The service's clock minus ours, in ms; null if it gave no time. */
  readonly aheadMs: number | null;
}> {
  const live = await service.live();
  const date = live.rate?.date ?? null;
  const aheadMs = date === null ? null : date - now();
  const overview = live.failure === null && mayRecord ? await service.overview() : null;
  const chat = overview?.failure === null ? await service.chatStatus() : null;
  const findings = {
    service: liveFinding(live, now()),
    key: live.failure !== null ? unasked : overview === null ? unrecorded : keyFinding(overview, chat),
    'chat status': chat === null ? null : chatFinding(chat),
  };
  return { findings, aheadMs };
}

export function liveFinding({ failure, generation, asOf }: ProbeResult, now: number): Finding {
  if (failure !== null)
    return failedFinding(
      `SERVICE_URL does not answer as a data service (${failure.detail ?? failure.fault})`,
      'Check the address; where it is right, wait until the service is back.',
    );
  if (asOf !== null && judgeFreshness({ asOf }, 'live', now) !== 'live')
    return warningFinding(
      `answers, but its live data has stood still for ${Math.round((now - asOf) / 1000)} s`,
      'Nothing to do here: boards say how old their data is.',
    );
  const which = generation === 'later' ? 'later (2025)' : 'first';
  return passedFinding(`answers, in the ${which} generation of its interface`);
}

/** The documented limit of client keys; a key bound to addresses has one of its own. `chat`: the last request; null: none. */
export function keyFinding({ failure, rate: first }: ProbeResult, chat: ProbeResult | null): Finding {
  if (failure !== null) return keyFailure(failure);
  const rate = chat?.failure === null ? (chat.rate ?? first) : first;
  const hasAskedTwice = chat !== null && chat.failure?.sent !== 'no';
  const spent = `this check used ${hasAskedTwice ? 'two requests' : 'one request'}`;
  if (rate === null || rate.limit === null || rate.windowSeconds === null)
    return passedFinding(
      `accepted; the service does not say its limit, so 720 an hour are assumed; ${spent}`,
    );
  const { limit, windowSeconds, remaining } = rate;
  const isClient = limit === 720 && windowSeconds === 3600;
  const kind = isClient ? 'a client key' : 'an IP-restricted key, by its limit';
  const left = remaining === null ? '' : `, ${remaining} left`;
  return passedFinding(`accepted: ${kind}, ${limit} requests in ${windowSeconds} s${left}; ${spent}`);
}

const unasked = warningFinding(
  'not checked: the data service does not answer',
  'Run the doctor again once it answers; no request was spent.',
);

const unrecorded = warningFinding(
  'not checked: the request could not be recorded in the store, so it was not sent',
  'Run the doctor again once the store can be used.',
);

function keyFailure(failure: ServiceError): Finding {
  const { fault, refusal, retryAt } = failure;
  if (refusal === 'address')
    return failedFinding(
      'SERVICE_KEY is restricted to other IP addresses than the one this machine has',
      'Allow this address in the account page of the web portal, or use a client key.',
    );
  if (refusal === 'key')
    return failedFinding(
      'SERVICE_KEY is not accepted by the data service',
      'Copy it again from the account page of the web portal.',
    );
  if (refusal === 'command')
    return failedFinding(
      'SERVICE_KEY may not read the overview',
      'Ask the portal for a key that may, or use a client key.',
    );
  if (fault === 'over-budget') {
    const when = retryAt === null ? 'later' : `after ${new Date(retryAt).toISOString().slice(11, 16)} UTC`;
    return warningFinding('not checked: its hourly limit is used up', `Run the doctor again ${when}.`);
  }
  if (fault === 'store-away' || fault === 'no-turn') return unrecorded;
  return misplaced('SERVICE_GAME', failure);
}

function chatFinding({ failure, isWidgetOff }: ProbeResult): Finding {
  if (isWidgetOff === true)
    return warningFinding(
      'the community has switched the widget of its Discord server off, so there is no list of members',
      'Nothing to do here, unless it is yours: Server Settings, Widget.',
    );
  if (failure === null) return passedFinding('can be read');
  const { fault, refusal } = failure;
  if (fault === 'over-budget' || fault === 'store-away' || fault === 'no-turn')
    return warningFinding('not checked: no request is left for it', 'Run the doctor again later.');
  if (refusal !== null && refusal !== 'request' && refusal !== 'not-implemented')
    return failedFinding(
      'SERVICE_KEY may not read it',
      'Ask the portal for a key that may; /members fails without.',
    );
  return misplaced('SERVICE_CHAT_PATH', failure);
}

/** The live files come, this does not: most often it is asked for at a wrong path. */
function misplaced(setting: string, { detail, fault }: ServiceError): Finding {
  return failedFinding(
    `the data service has no usable answer below ${setting} (${detail ?? fault})`,
    `Check ${setting}; where it is right, wait until the service is well.`,
  );
}
