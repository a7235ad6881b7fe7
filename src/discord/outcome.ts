import { randomBytes } from 'node:crypto';
import type { Reply } from '../command.ts';
import { ServiceError, UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import { faultWords } from '../words/fault.ts';
import type { Words } from '../words/words.ts';
import type { Offer } from './offer.ts';

/** What came of a command: its reply, or the words for why there is none. */
export interface Outcome {
  readonly reply: Reply;
  readonly failed: boolean;
}

/** Waits for a command and never rejects. `offer` says what to offer instead of a name that the service does not know. */
export async function outcomeOf(
  work: () => Promise<Reply>,
  words: Words,
  log: Log,
  offer: () => Offer | null = () => null,
): Promise<Outcome> {
  try {
    return { reply: await work(), failed: false };
  } catch (error) {
    const content = wordsFor(error, words, log);
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

function wordsFor(error: unknown, words: Words, log: Log): string {
  if (error instanceof UserError) return error.message;
  if (error instanceof ServiceError) {
    log[error.fault === 'not-found' ? 'debug' : 'warn']({ err: error }, 'the data service had no answer');
    return faultWords(error, words);
  }
  return bugWords(error, words, log);
}

/** Anything that nobody foresaw: logged under a number, which the person is told. */
export function bugWords(error: unknown, words: Words, log: Log): string {
  const id = randomBytes(4).toString('hex');
  log.error({ err: error, id }, 'a bug');
  return words.text('chat.bug', { id });
}
