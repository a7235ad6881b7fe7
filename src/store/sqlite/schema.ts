import { guildSettingsTable } from './guild-settings.ts';
import { entriesTable } from './keyv-adapter.ts';
import { correctionsTable, linksTable } from './links.ts';
import { subscriptionsTable } from './subscriptions.ts';

/** Each entry migrates from the version of its index to the next. Never edit a released one. */
export const migrations: readonly string[] = [
  entriesTable,
  linksTable + guildSettingsTable + subscriptionsTable,
  correctionsTable,
];

/** Marks the file as ours in SQLite's header field: "Pitw". */
export const APPLICATION_ID = 0x50_69_74_77;
