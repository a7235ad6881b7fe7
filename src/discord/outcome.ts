import { randomBytes } from 'node:crypto';
import type { Reply } from '../app/reply.ts';
import { ServiceError, StoreError, UserError } from '../errors.ts';
import { faultMessage } from '../i18n/fault-message.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { Picture } from '../pictures/chart.ts';
import type { Offer } from './offer.ts';

/** The outcome of a command: its reply, or the message that explains why there is none. */
export interface Outcome {
  readonly reply: Reply;
  /** The reply's picture as a PNG; null where it has none or cannot show it. */
  readonly png: Uint8Array | null;
  readonly failed: boolean;
}

/** The PNG of a reply's picture; null where it cannot be shown. Never rejects. */
export type Illustrate = (picture: Picture) => Promise<Uint8Array | null>;

/** Called for a bug, with the id under which it is logged. */
export type OnBug = (id: string, error: unknown) => void;

/** Waits for a command and never rejects. `offer`: what to offer after an unknown name. */
export async function outcomeOf(
  work: () => Promise<Reply>,
  {
    t,
    log,
    onBug,
    illustrate,
    offer = () => null,
  }: {
    readonly t: Translator;
    readonly log: Log;
    readonly onBug: OnBug;
    readonly illustrate: Illustrate;
    readonly offer?: (() => Offer | null) | undefined;
  },
): Promise<Outcome> {
  try {
    const reply = await work();
    const png = reply.picture === undefined ? null : await illustrate(reply.picture);
    return { reply, png, failed: false };
  } catch (error) {
    const content = wordsFor(error, t, log, onBug);
    const isMiss = error instanceof ServiceError && error.fault === 'not-found';
    const offered = isMiss ? offer() : null;
    if (offered === null) return failure(content);
    return {
      reply: { content: `${content}\n${offered.question}`, components: [offered.row] },
      png: null,
      failed: true,
    };
  }
}

export function failure(content: string): Outcome {
  return { reply: { content }, png: null, failed: true };
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

/** A bug: logged under an id that the person sees. */
export function bugMessage(error: unknown, t: Translator, log: Log, onBug: OnBug): string {
  const id = randomBytes(4).toString('hex');
  log.error({ err: error, id }, 'bug');
  onBug(id, error);
  return t('chat.bug', { id });
}
