import { z } from 'zod';
import { json } from '../../service/json.ts';
import {
  type BoardRecord,
  type BoardRecords,
  BoardSettings,
  BoardState,
  newState,
} from '../board-records.ts';
import type { Database } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS board (
    channel TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
`;

const Row = z.object({
  settings: json(BoardSettings),
  state: json(BoardState).catch(newState),
});

/** The database must be durable: if a power cut loses a message's id, the message is posted twice. */
export function createSqliteBoardRecords(
  database: Database,
  options: { readonly unreadable?: (channelId: string) => void } = {},
): BoardRecords {
  database.exec(SCHEMA);
  const all = database.prepare('SELECT channel, settings, state FROM board ORDER BY rowid');
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
