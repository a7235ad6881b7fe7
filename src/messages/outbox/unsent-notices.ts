/** Messages that are stored until Discord has taken them: nothing else in the store says that they are to be sent. */
import { z } from 'zod';
import { declareCollection, personalExport, readDocument, readNaming } from '../../store/collection.ts';
import type { Documents } from '../../store/documents.ts';
import { personalPlaces } from './kinds.ts';
import { deliveriesByPlace } from './ledger.ts';

const StoredNotice = z.object({
  to: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('direct'), personId: z.string() }),
    z.object({ kind: z.literal('channel'), channelId: z.string() }),
  ]),
  /** See `DeliveryClaim`. */
  claim: z.object({
    key: z.string(),
    place: z.string(),
    watches: z.array(z.string()).readonly(),
    at: z.number(),
    cooldown: z.number(),
    most: z.number().nullable(),
  }),
  content: z.string(),
  components: z.array(z.record(z.string(), z.unknown())).readonly(),
});
export type StoredNotice = z.output<typeof StoredNotice>;

/**
 * Notices that are not over, each in a document of its own; version 2.0.0 had those of a recipient in one. A notice stays while
 * it is sent, so that nothing is put back of a person who is forgotten meanwhile.
 */
export const unsentNotices = declareCollection({
  name: 'unsent-notices',
  schema: z.array(StoredNotice).readonly(),
  unreadable: 'none',
  person: {
    forget: (notices, personId) => (notices.some((notice) => isTo(personId, notice)) ? null : notices),
    export: [
      personalExport({
        name: 'sent',
        read: readSent,
        lines: (messages, t) => [t('privacy.sent', { n: messages.length })],
        question: (t) => t('forget.messages'),
      }),
    ],
  },
});

interface OwnMessage {
  /** Unix milliseconds. */
  readonly at: number;
  readonly settled: boolean;
  /** Text of a notice that Discord has not taken yet. */
  readonly content?: string;
}

/** Reads the direct messages to a person, sent and unsent, oldest first. */
async function readSent(documents: Documents, personId: string): Promise<readonly OwnMessage[]> {
  const places = personalPlaces(personId).map((place) => readDocument(documents, deliveriesByPlace, place));
  const sent = (await Promise.all(places)).flatMap((all) => all ?? []);
  const sentMessages = sent.map(({ at, settled }) => ({ at, settled }));
  const claimedKeys = new Set(sent.map(({ key }) => key));
  const notices = [...(await readNaming(documents, unsentNotices, personId)).values()].flat();
  const unsent = notices
    .filter((notice) => isTo(personId, notice) && !claimedKeys.has(notice.claim.key))
    .map(({ claim, content }) => ({ at: claim.at, settled: false, content }));
  return [...sentMessages, ...unsent].toSorted((a, b) => a.at - b.at);
}

function isTo(personId: string, { to }: StoredNotice): boolean {
  return to.kind === 'direct' && to.personId === personId;
}
