/** How whoever asks reads: in which language and unit, and with colours or without. */
import type { Person } from './command.ts';
import type { Service } from '../service/client.ts';
import { options } from '../service/endpoints.ts';
import { defaultSettings, type GuildSettings, type GuildSettingsStore } from '../store/guild-settings.ts';
import type { Links } from '../store/links.ts';
import { within } from '../within.ts';
import type { Reading, Words } from '../i18n/translator.ts';

export interface Reader {
  /** At once, with kilometres where the driver's own unit is not known yet. */
  readonly words: Words;
  readonly settings: GuildSettings;
  /** With the driver's own unit where that is wanted and is told in time. Never rejects. */
  measured(): Promise<Words>;
}

interface ReaderParts {
  readonly wordsFor: (locale: string, reading?: Reading) => Words;
  readonly links: Links;
  readonly guildSettings: GuildSettingsStore;
  readonly service: Service;
  /** The store could not be read; the defaults stand in. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds that an answer may wait for the unit of its figures: it is mostly known already. */
const PATIENCE = 400;

/** The language that a guild has chosen wins over the reader's own (BCP 47). Never rejects. */
export function createReaders({ wordsFor, links, guildSettings, service, failed }: ReaderParts) {
  async function ownUnit(personId: string): Promise<Reading['unit']> {
    const link = await links.of(personId);
    if (link === null) return 'kilometre';
    // Somebody waits for it, so it is no background question; it costs one request a driver in a quarter of an hour.
    const { record } = await service.get(options, { username: link.username });
    const mph = record.find(({ name }) => name === 'mph');
    return mph === undefined || mph.value === '0' ? 'kilometre' : 'mile';
  }

  async function settingsOf(guildId: string | null): Promise<GuildSettings> {
    try {
      return await guildSettings.of(guildId);
    } catch (error) {
      failed(error);
      return defaultSettings;
    }
  }

  return async ({ id, guildId }: Person, locale: string): Promise<Reader> => {
    const settings = await settingsOf(guildId);
    const { colours, distances } = settings;
    const inUnit = (unit: Reading['unit']): Words => wordsFor(settings.language ?? locale, { unit, colours });
    const words = inUnit(distances === 'miles' ? 'mile' : 'kilometre');
    return {
      words,
      settings,
      async measured() {
        if (distances !== 'driver') return words;
        // What the data service has to say of its troubles, it says where somebody asked it something.
        const unit = await within(
          ownUnit(id).catch(() => null),
          PATIENCE,
        );
        return unit === null ? words : inUnit(unit);
      },
    };
  };
}
