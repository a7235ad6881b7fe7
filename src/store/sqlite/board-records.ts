import { z } from 'zod';
import { json } from '../../base/json.ts';
import {
  type BoardRecord,
  type BoardRecords,
  BoardSettings,
  BoardState,
  newState,
} from '../../board/board-records.ts';
import type { Database } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS board (
    channel TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS board_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
${['INSERT', 'DELETE', 'UPDATE OF settings'].map(raiseVersion).join('')}`;

/** A trigger, so that nobody who changes the table can forget it. */
function raiseVersion(change: string): string {
  const [name = ''] = change.toLowerCase().split(' ');
  return `
  CREATE TRIGGER IF NOT EXISTS board_${name} AFTER ${change} ON board BEGIN
    INSERT INTO board_version (id, version) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET version = version + 1;
  END;`;
}

const Row = z.object({
  settings: json(BoardSettings),
  state: json(BoardState).catch(newState),
});

const Version = z.object({ version: z.number() }).transform(({ version }) => version);

/** The database must be durable: if a power cut loses a message's id, the message is posted twice. */
export function createSqliteBoardRecords(
  database: Database,
  options: { readonly unreadable?: (channelId: string) => void } = {},
): BoardRecords {
  database.exec(SCHEMA);
  const all = database.prepare('SELECT channel, settings, state FROM board ORDER BY rowid');
  const version = database.prepare('SELECT coalesce(max(version), 0) AS version FROM board_version');
  const saveSettings = database.prepare(
    `INSERT INTO board (channel, settings, state) VALUES (?1, ?2, ?3)
     ON CONFLICT (channel) DO UPDATE SET settings = ?2`,
  );
  const saveState = database.prepare('UPDATE board SET state = ?2 WHERE channel = ?1');
  const remove = database.prepare('DELETE FROM board WHERE channel = ?');

  return {
    async all() {
      return all.all().flatMap((row): readonly BoardRecord[] => {
        const read = Row.safeParse(row);
        if (read.success) return [read.data];
        options.unreadable?.(String(row['channel']));
        return [];
      });
    },
    version: async () => Version.parse(version.get()),
    async saveSettings(settings) {
      saveSettings.run(settings.channelId, JSON.stringify(settings), JSON.stringify(newState));
    },
    async saveState(channelId, state) {
      saveState.run(channelId, JSON.stringify(state));
    },
    async remove(channelId) {
      remove.run(channelId);
    },
  };
}
