import { placeKey } from '../service/models/watch.ts';
import { type Forgetting, forgetting } from '../store/forget.ts';
import { convoyPlace, reminderPlace } from './deliver.ts';
import { deliveriesByPlace } from './deliveries.ts';
import { pauseNotices } from './pause-notices.ts';
import { statesByPlace, watchesByPlace } from './watches.ts';

const isDirectTo = (personId: string, key: string): boolean =>
  [
    placeKey({ person: personId, place: { kind: 'direct' } }),
    reminderPlace(personId),
    convoyPlace(personId),
  ].includes(key);

/** A person's own alerts go; those of channels stay without their maker. */
export const alertsForgetting: readonly Forgetting[] = [
  forgetting(watchesByPlace, (watches, personId, key) =>
    isDirectTo(personId, key)
      ? null
      : watches.map((watch) => (watch.person === personId ? { ...watch, person: '' } : watch)),
  ),
  forgetting(statesByPlace, (states, personId, key) => (isDirectTo(personId, key) ? null : states)),
  forgetting(deliveriesByPlace, (all, personId, key) => (isDirectTo(personId, key) ? null : all)),
  forgetting(pauseNotices, (why, personId, key) => (key === personId ? null : why)),
];
