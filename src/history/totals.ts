/** Playing time of all drivers within one chunk's time, as text, and back. */
import { z } from 'zod';
import { SECOND } from '../base/duration.ts';
import { json } from '../base/json.ts';
import { sameSpelling } from '../service/models/identifiers.ts';

/** Seconds. */
const Text = json(z.array(z.tuple([z.string(), z.number()])));

/** Sums by driver, whatever the case of the name; the newest spelling counts. */
interface Totals {
  add(driver: string, value: number): void;
  /** In order of first addition. */
  all(): readonly { readonly driver: string; readonly value: number }[];
}

export function createTotals(): Totals {
  const sums = new Map<string, { readonly driver: string; readonly value: number }>();
  return {
    add(driver, value) {
      const key = sameSpelling(driver);
      sums.set(key, { driver, value: (sums.get(key)?.value ?? 0) + value });
    },
    all: () => [...sums.values()],
  };
}

/** Milliseconds by driver. */
export function readPlayed(
  text: string | undefined,
): readonly { readonly driver: string; readonly ms: number }[] {
  return (Text.safeParse(text).data ?? []).map(([driver, seconds]) => ({ driver, ms: seconds * SECOND }));
}

export function writePlayed(played: readonly { readonly driver: string; readonly ms: number }[]): string {
  return JSON.stringify(played.map(({ driver, ms }) => [driver, Math.round(ms / SECOND)]));
}
