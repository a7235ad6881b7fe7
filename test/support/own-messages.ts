import { expect } from 'vitest';
import type { Reply } from '../../src/command-kit/reply.ts';
import { breaches } from './embed-limits.ts';
import { BOUNDS } from './pseudo-language.ts';

/** Expects messages that the bot sends by itself to be accepted by Discord, and to be whole. */
export function expectAccepted(messages: readonly Reply[]): void {
  const [opening, closing] = BOUNDS;
  for (const message of messages) {
    const json = JSON.stringify(message);
    expect(breaches(message)).toEqual([]);
    expect(json).not.toMatch(/\{\{|undefined|NaN|\[object/);
    expect(json.split(opening).length, json).toBe(json.split(closing).length);
  }
}
