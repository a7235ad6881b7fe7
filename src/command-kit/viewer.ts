/** The viewer's preferences: language, unit, and whether to show colours. */

import { resolveWithin } from '../base/clock.ts';
import { createOutage } from '../base/outage.ts';
import { defaultSettings, type GuildSettings } from '../community/accounts/guild-settings.ts';
import type { Preferences, Translator } from '../i18n/translator.ts';
import type { Service } from '../service/client.ts';
import { options } from '../service/endpoints.ts';
import type { Context, Person } from './context.ts';

export interface Viewer {
  /** Available at once, with kilometres until the driver's own unit is known. */
  readonly t: Translator;
  readonly settings: GuildSettings;
  /** Resolves with a translator in the driver's own unit, if the guild wants that and it is known in time. Never rejects. */
  inOwnUnit(): Promise<Translator>;
}

/** Longest wait of a reply for the unit, which is usually cached. */
const UNIT_TIMEOUT_MS = 400;

/** A guild's language takes precedence over the viewer's own (BCP 47). Never rejects. */
export function createViewers(parts: {
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
  readonly store: Pick<Context['store'], 'links' | 'guildSettings'>;
  readonly service: Service;
  /** Called once for several times in a row that the store could not be read; the defaults are used. */
  readonly failed: (error: unknown) => void;
}) {
  const { translatorFor, store, service, failed } = parts;
  const outage = createOutage(failed);
  async function ownUnit({ id: personId, guildId }: Person): Promise<Preferences['unit']> {
    const link = await store.links.of(personId, guildId);
    if (link === null) return 'kilometre';
    // At most one request per quarter of an hour, charged to this person.
    const asker = { personId, guildId };
    const { record } = await service.get(options, { username: link.username }, { asker });
    const mph = record.find(({ name }) => name === 'mph');
    return mph === undefined || mph.value === '0' ? 'kilometre' : 'mile';
  }

  return async (person: Person): Promise<Viewer> => {
    const settings = await outage.attempt(
      () => store.guildSettings.of(person.guildId),
      () => defaultSettings,
    );
    const { colours, distances } = settings;
    const inUnit = (unit: Preferences['unit']): Translator =>
      translatorFor(settings.language ?? person.locale, { unit, colours });
    const t = inUnit(distances === 'miles' ? 'mile' : 'kilometre');
    return {
      t,
      settings,
      async inOwnUnit() {
        if (distances !== 'driver') return t;
        // A failing service is reported where something was asked of it.
        const unit = await resolveWithin(
          ownUnit(person).catch(() => null),
          UNIT_TIMEOUT_MS,
        );
        return unit === null ? t : inUnit(unit);
      },
    };
  };
}
