import type { DataService } from '../service/data-service.ts';
import type { Action } from './protocol.ts';

type Happening = Extract<Action, { type: 'happen' }>['what'];

/** Makes it happen in the game, and tells the visitor what has happened, or why it has not. */
export function happen(what: Happening, dataService: DataService): string {
  switch (what) {
    case 'full-server': {
      const filled = dataService.fillServer();
      return filled === null
        ? 'Too few drivers are offline to fill a server.'
        : `Server ${filled.server} is full: ${filled.drivers} drivers, for at least ${filled.minutes} minutes.`;
    }
    case 'car-offer': {
      const offered = dataService.offerCar();
      return offered === null
        ? 'Every car is wrecked.'
        : `${offered.owner} sells ${offered.vin} for ${offered.price.toLocaleString('en')}.`;
    }
    case 'licence-expiry': {
      const expired = dataService.expireLicence();
      return expired === null
        ? 'No licence is left that could expire.'
        : `${expired.driver} has lost a licence: ${expired.licence} has expired.`;
    }
  }
}
