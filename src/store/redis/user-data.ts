import { placeKey } from '../../alerts/watches.ts';
import type { Links } from '../../people/links.ts';
import { storedDecisions, type UserData } from '../../people/user-data.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { RedisBoardRecords } from './board-records.ts';
import type { RedisDeliveries } from './deliveries.ts';
import type { RedisTimeZones } from './time-zones.ts';
import type { RedisWatches } from './watches.ts';

/** When `forget` resolves, the person's id is in no value of the store. */
export function createRedisUserData({
  links,
  subscriptions,
  watches,
  deliveries,
  timeZones,
  boards,
  forgetCorrections,
  scrub,
}: {
  readonly links: Links;
  readonly subscriptions: Subscriptions;
  readonly watches: RedisWatches;
  readonly deliveries: RedisDeliveries;
  readonly timeZones: RedisTimeZones;
  readonly boards: RedisBoardRecords;
  readonly forgetCorrections: (personId: string) => Promise<void>;
  readonly scrub: () => Promise<readonly string[]>;
}): UserData {
  return {
    async stored(personId, now) {
      const made = (await boards.all()).filter(({ settings }) => settings.madeBy === personId);
      return {
        ...(await storedDecisions(personId, now, { links, subscriptions, watches, timeZones })),
        boards: made.map(({ settings }) => ({
          guild: settings.guildId,
          channel: settings.channelId,
          since: settings.madeAt,
        })),
      };
    },
    async forget(personId) {
      await links.remove(personId);
      await forgetCorrections(personId);
      // From time 0, so that expired ones are included.
      for (const { server } of await subscriptions.of(personId, 0)) {
        await subscriptions.remove(personId, server);
      }
      await watches.forgetPerson(personId);
      await deliveries.forgetPlace(placeKey({ person: personId, place: { kind: 'direct' } }));
      await timeZones.remove(personId);
      await boards.forgetMaker(personId);
      return scrub();
    },
  };
}
