/** Memory of look-ups that happen anyway: figures of profiles and prices of cars. */
import type { Steps } from '../../base/sql.ts';
import type { Observation } from '../../service/endpoints.ts';
import type { RowsAtOnce } from './drivers.ts';
import { addOffers, type createOffers } from './offers.ts';
import { addReadings, type createReadings, readFigures } from './readings.ts';

export type LookUps = ReturnType<typeof createLookUps>;

export function createLookUps(
  readings: ReturnType<typeof createReadings>,
  offers: ReturnType<typeof createOffers>,
  at: RowsAtOnce,
) {
  return {
    /** Notes a record that was true at that time. Memory only. */
    observed({ kind, record }: Observation, asOf: number): void {
      if (kind === 'profile') readings.note(record.username, asOf, () => readFigures(record));
      else if (kind === 'car') offers.note(record, asOf);
    },
    /** The steps that write what was noted; null: nothing was. */
    take(): (() => Steps<void>) | null {
      const [figures, cars] = [readings.noted(), offers.take()];
      if (figures.length + cars.length === 0) return null;
      return function* () {
        yield* addReadings(figures, at);
        yield* addOffers(cars);
      };
    },
    /** To be called when the store has what was given out last. */
    written: readings.written,
  };
}
