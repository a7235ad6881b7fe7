/** Documents that name a person, in each collection that may. */
import { createHash } from 'node:crypto';
import { newWatchState } from '../../src/features/alerts/observe.ts';
import { newBoardOptions } from '../../src/service/models/board.ts';
import type { Document } from '../../src/store/documents.ts';
import { directWatch } from '../features/alerts/support/watches.ts';
import { newRule } from '../features/roles/support/world.ts';

const AT = Date.UTC(2026, 2, 5, 12);

/** The file of `/privacy` of a person about whom nothing is stored. */
export const noStoredData = {
  link: null,
  proof: null,
  corrections: [],
  watches: [],
  sent: [],
  pauseNotice: null,
  timeZone: null,
  profileAsPicture: null,
  roles: null,
  figures: null,
  convoys: null,
  keepsMonths: null,
  boards: [],
};

/** Subject of the documents. Two people share no document. */
interface Subject {
  readonly person: string;
  readonly username: string;
  readonly guild: string;
}

/** By collection, then by key: values that name the person. */
function valuesOf({ person, username, guild }: Subject): Record<string, Record<string, unknown>> {
  const channel = `${guild}7`;
  const id = '0000000000000001';
  const identity = { id, channel, title: 'Night drive', server: 'two', at: AT };
  const plan = { ...identity, zone: 'Europe/Berlin', hours: 2, places: null, weekly: false, role: null };
  const claim = { key: 'k', place: 'notice', watches: [], at: AT, cooldown: 1000, most: null };
  const result = { there: [{ person }], hidden: 0, peak: null, known: true, holes: [], usual: null };
  return {
    people: {
      [person]: {
        link: { username, since: AT, proved: AT, hidden: false, unwatched: true },
        corrections: { [guild]: { username, since: AT } },
        timeZone: 'Europe/Berlin',
      },
    },
    drivers: { [username]: { owner: person, corrected: { [guild]: person } } },
    proofs: {
      [person]: {
        begun: [AT],
        pending: { username, code: 'pw-abcd', until: AT, looks: 0, card: 'app/secret', locale: 'de' },
      },
    },
    'profile-looks': { [person]: { asPicture: true } },
    deliveries: { [`direct:${person}`]: [{ key: 'k', watches: ['aaaaaa'], at: AT, settled: true }] },
    'unsent-notices': {
      [person]: [{ to: { kind: 'direct', personId: person }, claim, content: 'a notice', components: [] }],
    },
    watches: { [`direct:${person}`]: [directWatch('aaaaaa', { person, since: AT })] },
    'watch-states': { [`direct:${person}`]: { aaaaaa: newWatchState } },
    'pause-notices': { [person]: 'closed' },
    'role-rules': { [guild]: [{ ...newRule, madeBy: person }] },
    'role-holders': { [`${guild} ${newRule.role}`]: { [person]: { state: 'held', joined: '2026-01-01' } } },
    'role-figures': {
      [person]: { driver: username, asOf: AT, hours: 1, km: 2, policeXp: null, licences: null },
    },
    convoys: {
      [guild]: [
        {
          ...{ ...plan, madeBy: person, madeAt: AT, locale: 'de', colours: true },
          ...{ stage: 'open', since: AT, result: null, event: null },
        },
      ],
    },
    'convoy-sign-ups': { [`${guild}:${id}`]: [{ person, answer: 'in', remind: true }] },
    'convoy-drafts': { [person]: { ...plan, guild, madeAt: AT, when: 'tomorrow 20:00' } },
    'convoy-results': { [guild]: [{ ...identity, result }] },
    'convoy-counts': { [createHash('sha256').update(person).digest('hex').slice(0, 2)]: { [person]: 1 } },
    'recap-kept-months': { [person]: { keeps: true, driver: username } },
    boards: {
      [channel]: {
        ...{ guildId: guild, channelId: channel, madeBy: person, locale: 'de', colours: true },
        ...{ madeAt: AT, removed: false, options: newBoardOptions },
      },
    },
  };
}

/** Documents that name the person, by the name of their collection. */
export function personalDocuments(subject: Subject): ReadonlyMap<string, readonly Document[]> {
  return new Map(
    Object.entries(valuesOf(subject)).map(([collection, values]) => [
      collection,
      Object.entries(values).map(([key, value]) => ({ collection, key, text: JSON.stringify(value) })),
    ]),
  );
}
