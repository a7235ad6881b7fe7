import type { Watches } from '../alerts/watches.ts';
import type { Stores } from '../bot/stores.ts';
import type { GuildSettings, GuildSettingsStore } from '../people/guild-settings.ts';

/** Guilds with their settings, of about 300 bytes each; people, of about 100. */
const MOST = { guilds: 5000, people: 10_000 };

/**
 * Stores that only this process writes to: what is asked for at every command is read once. Not for those that
 * processes share.
 */
export function remembered(stores: Stores): Stores {
  return {
    ...stores,
    guildSettings: settingsRead(stores.guildSettings),
    watches: { ...stores.watches, ...pauseNotices(stores.watches) },
  };
}

function settingsRead(store: GuildSettingsStore): GuildSettingsStore {
  const known = new Map<string, Promise<GuildSettings>>();

  /** Before they are there: what is set while they are read replaces them. */
  function remember(guildId: string, settings: Promise<GuildSettings>): Promise<GuildSettings> {
    if (known.size >= MOST.guilds) known.clear();
    known.set(guildId, settings);
    settings.catch(() => known.delete(guildId));
    return settings;
  }

  return {
    async of(guildId) {
      if (guildId === null) return store.of(null);
      return known.get(guildId) ?? remember(guildId, store.of(guildId));
    },
    async change(guildId, changes) {
      const settings = await store.change(guildId, changes);
      void remember(guildId, Promise.resolve(settings));
      return settings;
    },
  };
}

function pauseNotices(watches: Watches): Pick<Watches, 'leavePauseNotice' | 'takePauseNotice'> {
  const wordless = new Set<string>();
  return {
    async leavePauseNotice(person, why) {
      await watches.leavePauseNotice(person, why);
      wordless.delete(person);
    },
    async takePauseNotice(person) {
      if (wordless.has(person)) return null;
      if (wordless.size >= MOST.people) wordless.clear();
      // Before the look-up: a notice that is left meanwhile takes this back.
      wordless.add(person);
      return await watches.takePauseNotice(person).catch((error: unknown) => {
        wordless.delete(person);
        throw error;
      });
    },
  };
}
