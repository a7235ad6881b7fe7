import { openUnchanged } from './examine-file.ts';

/** Rows by what they are. */
export interface Contents {
  readonly links: number;
  readonly settings: number;
  readonly boards: number;
  readonly alerts: number;
  readonly answers: number;
}

/** What a good file holds. A table that its version does not have yet counts as empty. */
export function contentsOf(path: string): Contents {
  using database = openUnchanged(path);
  const has = database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`);
  const rows = (table: string): number =>
    has.get(table) === undefined
      ? 0
      : Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  return {
    links: rows('links'),
    settings: rows('guild_settings'),
    boards: rows('board'),
    alerts: rows('subscriptions'),
    answers: rows('entries'),
  };
}

/** `12 links, 1 board, 401 answers`. */
export function listed({ links, settings, boards, alerts, answers }: Contents): string {
  const counted: readonly (readonly [number, string, string])[] = [
    [links, 'link', 'links'],
    [settings, 'server with settings', 'servers with settings'],
    [boards, 'board', 'boards'],
    [alerts, 'alert', 'alerts'],
    [answers, 'stored answer', 'stored answers'],
  ];
  return counted.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ');
}
