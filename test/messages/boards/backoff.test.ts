/** How fast a board goes on, as a table of plain data. */
import { describe, expect, test } from 'vitest';
import * as backoff from '../../../src/messages/boards/backoff.ts';
import { newBackoff } from '../../../src/messages/boards/backoff.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;

describe('edits', () => {
  test('allows a second edit after a second, and the next when the window is over', () => {
    const first = backoff.noteEdit(newBackoff, NOW);
    expect(first).toMatchObject({ lastEdit: NOW, nextEdit: NOW + 1000, window: 6500 });
    const second = backoff.noteEdit(first, NOW + 1000);
    expect(second).toMatchObject({ lastEdit: NOW + 1000, nextEdit: NOW + 6500 });
    const third = backoff.noteEdit(second, NOW + 9000);
    expect(third.nextEdit).toBe(NOW + 10_000);
  });

  test('come evenly, two in a window, where there is always something new', () => {
    let last = newBackoff;
    const edits = Array.from({ length: 7 }, () => {
      const at = Math.max(NOW, last.nextEdit);
      last = backoff.noteEdit(last, at);
      return at - NOW;
    });
    expect(edits).toEqual([0, 1000, 6500, 9750, 13_000, 16_250, 19_500]);
  });

  test('allows news right after renewed times, and the next edit after their window', () => {
    const renewed = backoff.noteRenewal(newBackoff, NOW);
    expect(renewed.nextEdit).toBeLessThan(NOW);
    const first = backoff.noteEdit(renewed, NOW + 100);
    expect(first).toMatchObject({ lastEdit: NOW + 100, nextEdit: NOW + 6500 });
    expect(backoff.noteEdit(first, NOW + 6500).nextEdit).toBe(NOW + 9750);
  });

  test('a refusal doubles the window up to 15 seconds; edits shrink it slowly', () => {
    const slower = backoff.tooFast(newBackoff, NOW, 0, 1);
    expect(slower.window).toBe(13_000);
    expect(backoff.tooFast(slower, NOW, 0, 1).window).toBe(15_000);
    expect(backoff.noteEdit(slower, NOW).window).toBe(13_000 * 0.95);
    expect(backoff.noteEdit(newBackoff, NOW).window).toBe(6500);
    expect(backoff.noteEdit(slower, NOW).nextEdit).toBe(NOW + 2000);
  });
});

describe('nothing is sent', () => {
  test.for([
    { what: 'for as long as Discord says', retryAfter: 60_000, chance: 1, closed: 60_000 },
    { what: 'also where that is short', retryAfter: 2400, chance: 1, closed: 2400 },
    { what: 'for two seconds at least', retryAfter: 300, chance: 1, closed: 2000 },
    { what: 'or a quarter less, by chance', retryAfter: 300, chance: 0, closed: 1500 },
    { what: 'for the window where Discord does not say', retryAfter: 0, chance: 1, closed: 13_000 },
  ])('after a first refusal: $what', ({ retryAfter, chance, closed }) => {
    expect(backoff.tooFast(newBackoff, NOW, retryAfter, chance).closedUntil).toBe(NOW + closed);
  });

  test.for([
    { what: 'for the window at least', retryAfter: 1000, chance: 1, closed: 15_000 },
    { what: 'or a quarter less, by chance', retryAfter: 1000, chance: 0, closed: 0.75 * 15_000 },
    { what: 'for as long as Discord says', retryAfter: 60_000, chance: 1, closed: 60_000 },
  ])('after one more, before the window has shrunk back: $what', ({ retryAfter, chance, closed }) => {
    const edited = backoff.noteEdit(backoff.tooFast(newBackoff, NOW - 9000, 1000, 1), NOW - 5000);
    expect(backoff.tooFast(edited, NOW, retryAfter, chance).closedUntil).toBe(NOW + closed);
  });

  test('doubles the wait after each failure up to eight seconds, then from the start', () => {
    const once = backoff.noteFailure(newBackoff, NOW, 1);
    expect(once).toMatchObject({ closedUntil: NOW + 5000, pause: 8000 });
    const twice = backoff.noteFailure(once, NOW + 5000, 0);
    expect(twice).toMatchObject({ closedUntil: NOW + 5000 + 6000, pause: 8000 });
    expect(backoff.noteAnswer(twice).pause).toBe(5000);
  });

  test('until the later of two ends', () => {
    const long = backoff.closeFor(newBackoff, NOW, 9000);
    expect(backoff.closeFor(long, NOW, 10).closedUntil).toBe(NOW + 9000);
    expect(backoff.closedUntil(long)).toBe(NOW + 9000);
    expect(backoff.closedUntil(newBackoff)).toBe(0);
    expect(newBackoff.invalid).toEqual([]);
  });
});

describe('invalid requests', () => {
  const refusals = (count: number) => {
    let at = newBackoff;
    for (let index = 0; index < count; index += 1) at = backoff.noteInvalid(at, NOW + index * 1000);
    return at;
  };

  test('seven close nothing, the eighth closes until the first is ten minutes old', () => {
    expect(backoff.closedUntil(refusals(7))).toBe(0);
    expect(backoff.closedUntil(refusals(8))).toBe(NOW + 10 * MINUTE);
    expect(backoff.closedUntil(refusals(9))).toBe(NOW + 1000 + 10 * MINUTE);
    expect(backoff.closedUntil(backoff.closeFor(refusals(8), NOW, 20 * MINUTE))).toBe(NOW + 20 * MINUTE);
  });

  test('are forgotten after ten minutes', () => {
    const later = backoff.noteInvalid(refusals(2), NOW + 10 * MINUTE);
    expect(later.invalid).toEqual([NOW + 1000, NOW + 10 * MINUTE]);
  });
});
