/** What is stored of people and guilds, in the store's file on a connection of its own. */
import { DatabaseSync } from 'node:sqlite';
import { createGuildSettings, type GuildSettingsStore } from '../guild-settings.ts';
import { createLinks, type Links } from '../links.ts';
import { createSubscriptions, type Subscriptions } from '../subscriptions.ts';
import { createUserData, type UserData } from '../user-data.ts';
import { createDailyCopy, type DailyCopy } from './daily-copy.ts';

export interface People {
  readonly links: Links;
  readonly guildSettings: GuildSettingsStore;
  readonly subscriptions: Subscriptions;
  readonly userData: UserData;
  readonly copies: DailyCopy;
  close(): void;
}

/** How long one process waits for another that writes to the same file. */
const BUSY_MS = 2000;

/** The file must have been opened as the store before: that makes the tables. What is decided here is on the disk at once. */
export function openPeople(file: string): People {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  const links = createLinks(database);
  const subscriptions = createSubscriptions(database);
  const copies = createDailyCopy(file);
  return {
    links,
    guildSettings: createGuildSettings(database),
    subscriptions,
    userData: createUserData(database, { links, subscriptions, forgetInCopies: copies.forget }),
    copies,
    close: () => database.close(),
  };
}
