/** How whoever asks reads: in which language and unit, and with colours or without. */

import { within } from '../clock.ts';
import type { Preferences, Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import { options } from '../service/endpoints.ts';
import { defaultSettings, type GuildSettings } from '../store/guild-settings.ts';
import type { CommandStore, Person } from './context.ts';

export interface Viewer {
  /** At once, with kilometres where the driver's own unit is not known yet. */
  readonly t: Translator;
  readonly settings: GuildSettings;
  /** With the driver's own unit where that is wanted and is told in time. Never rejects. */
  measured(): Promise<Translator>;
}

interface ReaderParts {
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
  readonly store: Pick<CommandStore, 'links' | 'settings'>;
  readonly service: Service;
  /** The store could not be read; the defaults stand in. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds that an answer may wait for the unit of its figures: it is mostly known already. */
const PATIENCE = 400;

/** The language that a guild has chosen wins over the reader's own. Never rejects. */
export function createViewers({ translatorFor, store, service, failed }: ReaderParts) {
  async function ownUnit({ id: personId, guildId }: Person): Promise<Preferences['unit']> {
    const link = await store.links.of(personId, guildId);
    if (link === null) return 'kilometre';
    // At most one request a quarter of an hour, of this person's own share.
    const asker = { personId, guildId };
    const { record } = await service.get(options, { username: link.username }, { asker });
    const mph = record.find(({ name }) => name === 'mph');
    return mph === undefined || mph.value === '0' ? 'kilometre' : 'mile';
  }

  async function settingsOf(guildId: string | null): Promise<GuildSettings> {
    try {
      return await store.settings.of(guildId);
    } catch (error) {
      failed(error);
      return defaultSettings;
    }
  }

  return async (person: Person): Promise<Viewer> => {
    const settings = await settingsOf(person.guildId);
    const { colours, distances } = settings;
    const inUnit = (unit: Preferences['unit']): Translator =>
      translatorFor(settings.language ?? person.locale, { unit, colours });
    const t = inUnit(distances === 'miles' ? 'mile' : 'kilometre');
    return {
      t,
      settings,
      async measured() {
        if (distances !== 'driver') return t;
        // What the data service has to say of its troubles, it says where somebody asked it something.
        const unit = await within(
          ownUnit(person).catch(() => null),
          PATIENCE,
        );
        return unit === null ? t : inUnit(unit);
      },
    };
  };
}
