import { createBoundedMap } from '../../base/bounded.ts';
import { DAY } from '../../base/duration.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { visibleName } from '../../text/plain.ts';
import { MAX_CHOICES, type NameLimits, searchForm } from './name-index.ts';

/** A driver by their in-game name. */
export interface CalledPlayer {
  readonly username: string;
  /** The in-game name as plain text, without colours. */
  readonly nickname: string;
  /** When the driver was last seen with it, in unix milliseconds. */
  readonly at: number;
  /** The typed text is all of it, and no other known driver's (`only`), all of it (`whole`), or a part of it. */
  readonly fit: 'only' | 'whole' | 'part';
}

/** A driver's in-game name as the service wrote it, with its colour codes; '': none since then. */
type NicknameRecord = readonly [username: string, written: string, at: number];

/** In ms. In-game names change at will: an older one says little about who has it now. */
const MAX_AGE_MS = 30 * DAY;

interface NicknameEntry {
  readonly username: string;
  readonly written: string;
  /** Null: none, or nothing of it is visible. */
  readonly nickname: string | null;
  readonly form: string;
  readonly at: number;
}

/**
 * The in-game names of drivers: one each, the newest, for 30 days. Anyone can take any in-game name, so that one of
 * them may fit several drivers.
 */
export function createNicknames({ names, characters }: NameLimits, now: () => number) {
  /** Entries by case-folded username. */
  const entries = createBoundedMap<string, NicknameEntry>(characters, lengthOf, names);

  return {
    /** True where it is worth a write: another in-game name, or the first sight of it on that day (UTC). */
    learn(...[username, written, seenAt]: NicknameRecord): boolean {
      const key = sameSpelling(username);
      const existing = entries.get(key);
      const at = Math.min(seenAt, now());
      const isNews = existing === undefined || existing.at < at || (existing.at === at && written === '');
      if (!isNews || at < now() - MAX_AGE_MS) return false;
      const entry =
        existing?.written === written ? { ...existing, username, at } : { username, at, ...reading(written) };
      entries.set(key, entry);
      for (const oldest of entries.values()) {
        if (oldest.at >= now() - MAX_AGE_MS) break;
        entries.delete(sameSpelling(oldest.username));
      }
      return existing?.written !== written || dayOf(existing.at) !== dayOf(at);
    },
    /** Returns the in-game name with its colour codes; null if none was seen. */
    of(username: string): string | null {
      const entry = entries.get(sameSpelling(username));
      return entry === undefined || entry.nickname === null || entry.at < now() - MAX_AGE_MS
        ? null
        : entry.written;
    },
    /** The drivers whose in-game name is what was typed, then those of whose it is a part; newest first in each group. */
    search(input: string): readonly CalledPlayer[] {
      const query = searchForm(visibleName(input) ?? '');
      if (query === '') return [];
      const oldestShown = now() - MAX_AGE_MS;
      const fitting = [...entries.values()]
        .filter(({ form, at }) => at >= oldestShown && form.includes(query))
        .reverse();
      const exactMatches = fitting.filter(({ form }) => form === query);
      const partMatches = fitting.filter(({ form }) => form !== query);
      return [
        ...exactMatches.flatMap((entry) =>
          toCalledPlayer(entry, exactMatches.length === 1 ? 'only' : 'whole'),
        ),
        ...partMatches.flatMap((entry) => toCalledPlayer(entry, 'part')),
      ].slice(0, MAX_CHOICES);
    },
    /** Oldest first. */
    all: (): readonly NicknameRecord[] =>
      [...entries.values()].map(({ username, written, at }) => [username, written, at]),
  };
}

function reading(written: string): Pick<NicknameEntry, 'written' | 'nickname' | 'form'> {
  const nickname = visibleName(written);
  return { written, nickname, form: searchForm(nickname ?? '') };
}

function toCalledPlayer(
  { username, nickname, at }: NicknameEntry,
  fit: CalledPlayer['fit'],
): readonly CalledPlayer[] {
  return nickname === null ? [] : [{ username, nickname, at, fit }];
}

function lengthOf({ username, written }: NicknameEntry): number {
  return username.length + written.length;
}

function dayOf(at: number): number {
  return Math.floor(at / DAY);
}
