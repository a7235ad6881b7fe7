import { statusLineText } from '../../commands/servers/cards/status-line-text.ts';
import type { Clock } from '../base/clock.ts';
import { MINUTE } from '../base/duration.ts';
import { currentFiles } from '../command-kit/current-data.ts';
import type { Translator } from '../i18n/translator.ts';
import type { CallStatistics } from '../service/call-statistics.ts';
import type { Service } from '../service/client.ts';
import { LiveServer } from '../service/models/live-status.ts';
import type { Poll } from '../service/poll/poll.ts';

/** In ms. Discord allows five changes in twenty seconds; nobody reads a line that changes more often than this. */
const MIN_INTERVAL_MS = MINUTE;

/**
 * The line below the bot's name: changes at most once a minute, and only if the text is new. A text that comes too
 * early is dropped, since the caller soon comes with a newer one. `set`: Discord does not confirm it.
 */
export function createStatusLine(
  set: (text: string) => void,
  { monotonic }: Pick<Clock, 'monotonic'>,
): (text: string) => void {
  let lastText: string | null = null;
  let next = -Infinity;
  return (text) => {
    const now = monotonic();
    if (text === lastText || now < next) return;
    set(text);
    lastText = text;
    next = now + MIN_INTERVAL_MS;
  };
}

/** Keeps the line about how many are driving; the returned function ends that. */
export function showDrivers(
  show: (text: string) => void,
  parts: {
    readonly poll: Poll;
    readonly calls: Pick<CallStatistics, 'faultOf'>;
    readonly service: Service;
    readonly clock: Pick<Clock, 'now'>;
    readonly t: Translator;
  },
): () => void {
  const { poll, calls, service, clock, t } = parts;
  const changed = async (): Promise<void> => {
    if (!poll.isReady(['overview'])) return;
    const { overview } = poll.facts;
    const files = await currentFiles(LiveServer.options, { service, now: clock.now() }, 'background');
    const facts = { overview, files, fault: calls.faultOf('overview'), now: clock.now() };
    show(statusLineText(facts, t));
  };
  return poll.watch(['overview'], () => void changed());
}
