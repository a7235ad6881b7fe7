import { createHash } from 'node:crypto';
import { ServiceError } from '../base/errors.ts';
import { freeSlots, serverName } from '../cards/servers/server-lines.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import { overview } from '../service/endpoints.ts';
import type { Overview } from '../service/models/overview.ts';
import type { Subscription, Subscriptions } from '../store/subscriptions.ts';

/** A message to a person who is not waiting for a reply. */
export interface Notice {
  readonly personId: string;
  /** Where they asked for it; used if they cannot be reached directly. */
  readonly channelId: string;
  readonly content: string;
  /** Identical for one subscription: Discord merges two messages with the same nonce sent shortly after each other. */
  readonly nonce: string;
}

export interface FreeSlotWatchParts {
  readonly service: Service;
  readonly subscriptions: Subscriptions;
  /** Whether this process watches. Of several with one store, at most one does. */
  readonly holdsLease: () => boolean;
  readonly translatorOf: (subscription: Subscription) => Promise<Translator>;
  /** `lost`: Discord has a problem; try again later. */
  readonly notify: (notice: Notice) => Promise<'sent' | 'refused' | 'lost'>;
  readonly now: () => number;
  /** Called when a round fails; the next one starts over. */
  readonly failed: (error: unknown) => void;
}

/**
 * Notifies people who wait for a free slot on a server, once each. The overview is requested only while someone
 * waits, with background priority, and shared with other callers. Subscriptions are in the store, so they survive a
 * restart; the watch itself has no memory.
 *
 * Returns a function that runs one round. It never rejects; a call during a round joins that round.
 */
export function createFreeSlotWatch(parts: FreeSlotWatchParts): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= round(parts)
      .catch((error: unknown) => {
        // A failing service is reported where people ask; here it only means a longer wait.
        if (!(error instanceof ServiceError)) parts.failed(error);
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** The maximum age of the overview, in ms. */
const FRESH = { priority: 'background', maxAge: 30_000 } as const;

async function round(parts: FreeSlotWatchParts): Promise<void> {
  const { service, subscriptions, holdsLease, now } = parts;
  if (!holdsLease()) return;
  const waiting = await subscriptions.waiting(now());
  if (waiting.length === 0) return;
  const { record, stale } = await service.get(overview, {}, FRESH);
  // Old data could send people to a full server.
  if (stale !== null) return;
  for (const subscription of waiting) {
    const free = freeOn(subscription.server, record);
    if (free > 0) await notify(subscription, free, parts);
  }
}

function freeOn(name: string, servers: Overview): number {
  const server = servers.find((each) => each.name === name);
  return server === undefined ? 0 : (freeSlots(server) ?? 0);
}

/**
 * Removes the subscription first: while one process hands over to another, only one of them sends the message, and a
 * crash in between loses it rather than sending it twice. If Discord fails, the subscription is added again.
 */
async function notify(subscription: Subscription, free: number, parts: FreeSlotWatchParts): Promise<void> {
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
