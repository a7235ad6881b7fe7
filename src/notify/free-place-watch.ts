import { createHash } from 'node:crypto';
import { serverName } from '../cards/servers/server-lines.ts';
import { freePlaces } from '../cards/servers/slots-card.ts';
import { ServiceError } from '../errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import { overview } from '../service/endpoints.ts';
import type { Overview } from '../service/models/overview.ts';
import type { Subscription, Subscriptions } from '../store/subscriptions.ts';

/** What is said to a person who does not sit in front of an answer. */
export interface Notice {
  readonly personId: string;
  /** Where it was asked for, for whom cannot be reached otherwise. */
  readonly channelId: string;
  readonly content: string;
  /** The same for the same promise: chat makes one message of two that come soon after each other. */
  readonly nonce: string;
}

export interface FreePlaceWatchParts {
  readonly service: Service;
  readonly subscriptions: Subscriptions;
  readonly translatorOf: (subscription: Subscription) => Promise<Translator>;
  /** `lost`: chat is in trouble, and it is worth trying again. */
  readonly notify: (notice: Notice) => Promise<'sent' | 'refused' | 'lost'>;
  readonly now: () => number;
  /** A round that could not be finished; the next one starts anew. */
  readonly failed: (error: unknown) => void;
}

/**
 * Tells those who wait for a free place on a server, each of them once. The overview is asked for only while somebody
 * waits, in the background, and shared with whoever else looks at it. What is promised stands in the store, so that it
 * outlives a restart; the watch itself remembers nothing.
 *
 * Returns one round of it. Never rejects; a round that is asked for while one is under way is that one.
 */
export function createFreePlaceWatch(parts: FreePlaceWatchParts): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= round(parts)
      .catch((error: unknown) => {
        // That the service has no answer is told where people ask; here it only means waiting longer.
        if (!(error instanceof ServiceError)) parts.failed(error);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Milliseconds: an overview that is older is asked for anew. */
const FRESH = { priority: 'background', maxAge: 30_000 } as const;

async function round(parts: FreePlaceWatchParts): Promise<void> {
  const { service, subscriptions, now } = parts;
  const waiting = await subscriptions.waiting(now());
  if (waiting.length === 0) return;
  const { record, stale } = await service.get(overview, {}, FRESH);
  // Who is sent to a server by old data finds it full.
  if (stale !== null) return;
  for (const subscription of waiting) {
    const free = freeOn(subscription.server, record);
    if (free > 0) await keep(subscription, free, parts);
  }
}

function freeOn(name: string, servers: Overview): number {
  const server = servers.find((each) => each.name === name);
  return server === undefined ? 0 : (freePlaces(server) ?? 0);
}

/**
 * Taken off first: of two processes one tells, and a crash in between costs a message rather than making two. What
 * chat did not take for its own troubles is promised again.
 */
async function keep(subscription: Subscription, free: number, parts: FreePlaceWatchParts): Promise<void> {
  const { person, server, channel, expires } = subscription;
  if (!(await parts.subscriptions.remove(person, server))) return;
  const t = await parts.translatorOf(subscription);
  const outcome = await parts.notify({
    personId: person,
    channelId: channel,
    content: t('slots.nowFree', { server: serverName(server, t), count: free }),
    nonce: createHash('sha256')
      .update(JSON.stringify([person, server, expires]))
      .digest('hex')
      .slice(0, 25),
  });
  if (outcome === 'lost') await parts.subscriptions.add(subscription);
}
