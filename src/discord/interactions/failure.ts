import type { Clock } from '../../base/clock.ts';
import { ServiceError, StoreError, UserError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { buttonRow } from '../../cards/kit/card.ts';
import { compact } from '../../cards/kit/lines.ts';
import type { Reply } from '../../command-kit/reply.ts';
import { faultMessage } from '../../i18n/fault-message.ts';
import type { Translator } from '../../i18n/translator.ts';

/**
 * How an interaction ended.
 * - `answered`: with what was asked for.
 * - `declined`: the person can change what they asked for, or has had their share.
 * - `unavailable`: the data service or the store did not serve it, or the bot is stopping.
 * - `failed`: a bug, a command that never ended, or Discord accepted no reply.
 */
export type Result = 'answered' | 'declined' | 'unavailable' | 'failed';

/** The outcome of a command: its reply, or the message that explains why there is none. */
export interface Outcome {
  readonly reply: Reply;
  /** The reply's picture as a PNG; null where it has none or cannot show it. */
  readonly png: Uint8Array | null;
  readonly result: Result;
}

/** The recipient of a report about an interaction that fails, and its id. */
export interface ReportTarget {
  /** In every line of the log about this interaction; people see it where an operator may have to look it up. */
  readonly id: string;
  readonly t: Translator;
  readonly log: Log;
  readonly onBug: (error: unknown) => void;
  readonly clock: Clock;
}

/** An unknown name, after which similar ones may be offered. */
export function isMiss(error: unknown): boolean {
  return error instanceof UserError
    ? error.unknownName !== null
    : error instanceof ServiceError && error.fault === 'not-found';
}

/** The outcome without its picture. A person who has asked for one, or would get it the next time, is told. */
export function inWords(outcome: Outcome, why: 'late' | 'never', t: Translator): Outcome {
  const { reply } = outcome;
  const { components, isUnasked = false } = reply.picture ?? {};
  // A picture with buttons of its own is a view, which a person may have asked for.
  if (why === 'never' && (components === undefined || isUnasked)) return { ...outcome, png: null };
  const content = compact(reply.content ?? null, t(`picture.${why}`)).join('\n');
  return { ...outcome, png: null, reply: { ...reply, content } };
}

export function failedOutcome(content: string, result: Exclude<Result, 'answered'>): Outcome {
  return { reply: { content }, png: null, result };
}

/** The text, and below it the id to give to whoever runs the bot. */
export function withId(text: string, { id, t }: Pick<ReportTarget, 'id' | 't'>): string {
  return `${text}\n${t('discord.errorId', { id })}`;
}

/** The message that explains why a command has no reply. */
export function explainFailure(error: unknown, reporting: ReportTarget): Outcome {
  const { t, log, clock } = reporting;
  if (error instanceof UserError) {
    const outcome = failedOutcome(error.message, 'declined');
    if (error.nextStep === null) return outcome;
    return { ...outcome, reply: { ...outcome.reply, components: [buttonRow(error.nextStep)] } };
  }
  if (error instanceof ServiceError) {
    const text = faultMessage(error, t, clock.now());
    const isUsual = error.fault === 'not-found' || error.share !== null;
    log[isUsual ? 'debug' : 'warn']({ err: error }, 'the data service had no answer');
    return isUsual ? failedOutcome(text, 'declined') : failedOutcome(withId(text, reporting), 'unavailable');
  }
  if (error instanceof StoreError) {
    log.warn({ err: error }, 'store failed');
    const text = t(error.trouble === 'full' ? 'discord.storeFull' : 'discord.storeAway');
    return failedOutcome(withId(text, reporting), 'unavailable');
  }
  return failedOutcome(bugMessage(error, reporting), 'failed');
}

/** A bug: logged under the id that the person sees. */
export function bugMessage(error: unknown, { id, t, log, onBug }: ReportTarget): string {
  log.error({ err: error }, 'bug');
  onBug(error);
  return t('discord.bug', { id });
}
