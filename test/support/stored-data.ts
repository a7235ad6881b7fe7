/**
 * Stored documents in each collection, as the first version with that collection wrote them: 1.0.0 if it had the collection.
 * A value stays as it is when its schema changes. Those of a feature are in `stored-data.ts` beside its tests.
 */
import type { Document } from '../../src/store/documents.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { featureParts } from './feature-parts.ts';
import { readStored } from './personal-data.ts';

const AT = Date.UTC(2026, 2, 5, 12);

/** Subject of the documents. Two people share no document that names a person. */
interface Subject {
  readonly person: string;
  readonly username: string;
  readonly guild: string;
}

/** Returns values by collection, then by key. They name the person if the collection is of people. */
export type StoredValues = (subject: Subject) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const coreValues: StoredValues = ({ person, username, guild }) => {
  const channel = `${guild}7`;
  const claim = { key: 'n', place: 'notice', watches: [], at: AT, cooldown: 1000, most: null };
  const range = { first: 0, last: 0, total: 1 };
  return {
    people: {
      [person]: {
        link: { username, since: AT, hidden: false, unwatched: true, proved: AT },
        timeZone: 'Europe/Berlin',
        corrections: { [guild]: { username, since: AT } },
      },
    },
    drivers: { [username]: { owner: person, corrected: { [guild]: person } } },
    proofs: {
      [person]: {
        begun: [AT],
        pending: { username, card: 'app/secret', locale: 'de', code: 'pw-abcd', until: AT, looks: 0 },
      },
    },
    'profile-looks': { [person]: { asPicture: true } },
    'guild-settings': {
      [guild]: {
        ...{ language: 'fr', distances: 'kilometres', colours: false },
        ...{ refresh: 'everyone', sharing: true, timeZone: null },
      },
    },
    deliveries: { [`direct:${person}`]: [{ key: 'k', watches: ['aaaaaa'], at: AT, settled: true }] },
    'unsent-notices': {
      [person]: [{ to: { kind: 'direct', personId: person }, claim, content: 'a notice', components: [] }],
    },
    boards: {
      [channel]: {
        ...{ guildId: guild, channelId: channel, madeBy: person, locale: 'de', colours: true },
        ...{ madeAt: AT, removed: false },
        options: {
          ...{ language: null, servers: null, members: 'folded' },
          ...{ names: 'on', topic: 'off', voice: null },
        },
      },
    },
    'board-states': {
      [channel]: {
        ...{ posted: '99', sending: null, orphans: [], deletions: [], paused: null },
        ...{ lastEdit: AT, topic: [], voice: null },
      },
    },
    'board-changes': { latest: [{ before: 0, guildId: '1', channelId: '7' }] },
    claims: { 'welcome 1': AT },
    application: { owner: { id: '900000000000000001', cleanedAt: [AT] } },
    'left-guilds': { [guild]: AT },
    cluster: {
      state: {
        ...{ count: 1, next: null, epoch: 1, closedUntil: 0, failed: 0, failedAt: 0 },
        members: { earlier: { since: AT, until: AT, leaving: false } },
        ...{ leases: {}, identifies: {}, buckets: {} },
      },
    },
    'shard-fences': { '0/1': { holder: 'earlier', epoch: 1 } },
    'shard-claims': {
      claims: {
        number: 1,
        claims: [{ range, holder: 'earlier', host: 'bot', number: 1, until: AT }],
        standbys: [],
        crashes: { count: 0, at: 0 },
      },
    },
  };
};

const values: readonly StoredValues[] = [
  coreValues,
  ...Object.values(await featureParts<StoredValues>('stored-data', 'values')),
];

/** Documents by the name of their collection. */
export function storedDocuments(subject: Subject): ReadonlyMap<string, readonly Document[]> {
  return new Map(
    values
      .flatMap((valuesOf) => Object.entries(valuesOf(subject)))
      .map(([collection, byKey]) => [
        collection,
        Object.entries(byKey).map(([key, value]) => ({ collection, key, text: JSON.stringify(value) })),
      ]),
  );
}

/** The file of `/privacy` of a person about whom nothing is stored. */
export const noStoredData = (await readStored('1', documentsInMemory())).file;
