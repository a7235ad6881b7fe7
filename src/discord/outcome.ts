import { randomBytes } from 'node:crypto';
import type { Reply } from '../app/reply.ts';
import { ServiceError, StoreError, UserError } from '../errors.ts';
import { faultMessage } from '../i18n/fault-message.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { Offer } from './offer.ts';

/** What came of a command: its reply, or the words for why there is none. */
export interface Outcome {
  readonly reply: Reply;
  readonly failed: boolean;
}

/** Told of an error that nobody foresaw, under the number by which it is logged. */
export type OnBug = (id: string, error: unknown) => void;

/** Waits for a command and never rejects. `offer` says what to offer instead of a name that the service does not know. */
export async function outcomeOf(
  work: () => Promise<Reply>,
  {
    t,
    log,
    onBug,
    offer = () => null,
  }: {
    readonly t: Translator;
    readonly log: Log;
    readonly onBug: OnBug;
    readonly offer?: (() => Offer | null) | undefined;
  },
): Promise<Outcome> {
  try {
    return { reply: await work(), failed: false };
  } catch (error) {
    const content = wordsFor(error, t, log, onBug);
    const isMiss = error instanceof ServiceError && error.fault === 'not-found';
    const offered = isMiss ? offer() : null;
    if (offered === null) return failure(content);
    return {
      reply: { content: `${content}\n${offered.question}`, components: [offered.row] },
      failed: true,
    };
  }
}

export function failure(content: string): Outcome {
  return { reply: { content }, failed: true };
}

function wordsFor(error: unknown, t: Translator, log: Log, onBug: OnBug): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof ServiceError) {
    const isUsual = error.fault === 'not-found' || error.share !== null;
    log[isUsual ? 'debug' : 'warn']({ err: error }, 'the data service had no answer');
    return faultMessage(error, t, Date.now());
  }
  if (error instanceof StoreError) {
    log.warn({ err: error }, 'store failed');
    return t(error.trouble === 'full' ? 'chat.storeFull' : 'chat.storeAway');
  }
  return bugMessage(error, t, log, onBug);
}

/** Anything that nobody foresaw: logged under a number, which the person is told. */
export function bugMessage(error: unknown, t: Translator, log: Log, onBug: OnBug): string {
  const id = randomBytes(4).toString('hex');
  log.error({ err: error, id }, 'bug');
  onBug(id, error);
  return t('chat.bug', { id });
}
