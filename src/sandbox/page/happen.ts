import type { DataService } from '../service/data-service.ts';
import type { Happened } from './protocol.ts';

/** Makes it happen in the game, where it can. */
export function happen(what: Exclude<Happened['what'], 'new-name'>, dataService: DataService): Happened {
  switch (what) {
    case 'full-server':
      return { what, facts: dataService.fillServer() };
    case 'car-offer':
      return { what, facts: dataService.offerCar() };
    case 'licence-expiry':
      return { what, facts: dataService.expireLicence() };
  }
}
