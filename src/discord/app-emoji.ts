/** The application's own emoji: uploaded where it lacks them, and known by name. */
import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { EmojiOf } from '../i18n/translator.ts';
import type { RestOnce } from './rest-once.ts';

export interface AppEmoji {
  /** Null for all until every wanted one is there: half a set draws nothing. */
  readonly of: EmojiOf;
  /** Looks now, and again from time to time. Never rejects. */
  keep(): void;
  stop(): void;
}

interface Wanted {
  /** 2 to 32 letters, digits and underscores. */
  readonly name: string;
  /** A PNG of at most 256 KiB. */
  draw(): Promise<Uint8Array>;
}

interface AppEmojiParts {
  readonly ask: RestOnce['ask'];
  readonly applicationId: () => Promise<string>;
  readonly wanted: readonly Wanted[];
  /** Whether this process uploads, of several that share the application. */
  readonly uploads: () => boolean;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
}

/** Milliseconds. An operator may delete emoji at any time; until the next look, messages show their names. */
const LOOK_EVERY = 3_600_000;
/** After a failure, or while another process uploads; doubled each time. */
const TRY_AGAIN = 60_000;

const Emoji = z.object({ id: z.string(), name: z.string() });
const Emojis = z.object({ items: z.array(Emoji) });

/** Why Discord did not do it; `wait`: at least so many ms until it may be asked again. */
interface Failure {
  readonly why: string;
  readonly wait: number;
}

export function createAppEmoji(parts: AppEmojiParts): AppEmoji {
  const { ask, wanted, uploads, clock, log } = parts;
  let marks: ReadonlyMap<string, string> = new Map();
  let cancel = (): void => {};
  let ended = false;
  let told: string | null = null;

  /** Learns which are there, and uploads the others. */
  async function look(): Promise<Failure | null> {
    const route = Routes.applicationEmojis(await parts.applicationId());
    const listed = await ask('get', route);
    if (listed.kind !== 'answered') return failureOf(listed);
    const ids = new Map(Emojis.parse(listed.body).items.map(({ name, id }) => [name, id]));
    const missing = wanted.filter(({ name }) => !ids.has(name));
    if (missing.length > 0) marks = new Map();
    for (const { name, draw } of missing) {
      if (ended || !uploads()) return null;
      const image = `data:image/png;base64,${Buffer.from(await draw()).toString('base64')}`;
      const made = await ask('post', route, { body: { name, image } });
      if (made.kind !== 'answered') return failureOf(made);
      ids.set(name, Emoji.parse(made.body).id);
    }
    if (missing.length > 0) log.info({ uploaded: missing.length }, 'emoji of the application');
    marks = new Map(wanted.map(({ name }) => [name, `<:${name}:${ids.get(name)}>`]));
    return null;
  }

  async function round(pause: number): Promise<void> {
    // Never a message: that of an unreadable answer may be as long as the answer.
    const failure = await look().catch((error: unknown) => ({
      ...{ why: error instanceof Error ? error.name : 'unknown', wait: 0 },
    }));
    if (ended) return;
    const why = failure?.why ?? null;
    if (why !== null && why !== told) log.warn({ why }, 'no emoji of the application: bars are text');
    told = why;
    const isThere = failure === null && marks.size > 0;
    const wait = isThere ? LOOK_EVERY : Math.max(pause, failure?.wait ?? 0);
    const next = isThere ? TRY_AGAIN : Math.min(2 * pause, LOOK_EVERY);
    cancel = clock.after(wait, () => void round(next));
  }

  return {
    of: (name) => marks.get(name) ?? null,
    keep: () => void round(TRY_AGAIN),
    stop() {
      ended = true;
      cancel();
    },
  };
}

type Refused = Exclude<Awaited<ReturnType<RestOnce['ask']>>, { readonly kind: 'answered' }>;

function failureOf(refused: Refused): Failure {
  const wait = refused.kind === 'too-fast' ? refused.retryAfter : 0;
  return { why: 'why' in refused ? refused.why : refused.kind, wait };
}
