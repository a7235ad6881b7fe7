import { type Database, figure, words } from './database.ts';

/**
 * Lets the licence expire that would be the next to do so, or one that never would; returns its name. Null for a driver
 * without a valid one.
 */
export function expireLicence(db: Database, username: string, now: number): string | null {
  const next = db.row(
    `SELECT licence.id, name FROM licence JOIN driver ON driver.id = licence.driver
       WHERE username = :username AND NOT revoked AND suspendedUntil <= :now AND (validUntil = 0 OR validUntil > :now)
       ORDER BY validUntil = 0, validUntil, licence.id DESC LIMIT 1`,
    { username, now },
  );
  if (next === null) return null;
  db.run('UPDATE licence SET validUntil = :now WHERE id = :id', { id: figure(next, 'id'), now });
  return words(next, 'name');
}
