import { documentsTable } from './documents.ts';
import { chunksTable } from './history-chunks.ts';
import { entriesTable } from './keyv-adapter.ts';

/** Each entry migrates from the version of its index to the next. Never edit a released one. */
export const migrations: readonly string[] = [entriesTable + documentsTable];

/** The same for the file of its history. */
export const historyMigrations: readonly string[] = [chunksTable];

/** Marks the file as ours in SQLite's header field: "Pitw". */
export const APPLICATION_ID = 0x50_69_74_77;
