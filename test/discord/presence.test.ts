import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPresence } from '../../src/discord/presence.ts';

/** A presence on a clock that the test holds, and what it showed and when. */
function setUp() {
  const shown: { readonly at: number; readonly text: string }[] = [];
  let now = 0;
  const presence = createPresence({
    set: (text) => shown.push({ at: now, text }),
    clock: { now: () => now },
  });
  return {
    shown,
    presence,
    at(time: number, text: string): void {
      now = time;
      presence.show(text);
    },
  };
}

test('the first text is shown at once, the next after a minute, and then the newest', () => {
  const { shown, at } = setUp();
  at(0, '1 driving');
  at(20_000, '2 driving');
  at(59_999, '3 driving');
  at(60_000, '4 driving');
  expect(shown).toEqual([
    { at: 0, text: '1 driving' },
    { at: 60_000, text: '4 driving' },
  ]);
});

test('what is shown already is not shown again, and holds nothing back', () => {
  const { shown, at } = setUp();
  at(0, '1 driving');
  at(120_000, '1 driving');
  at(120_001, '2 driving');
  expect(shown.map(({ at: time }) => time)).toEqual([0, 120_001]);
});

test('a clock that is set back an hour silences nobody', () => {
  const { shown, at } = setUp();
  at(3_600_000, '1 driving');
  at(0, '2 driving');
  expect(shown).toHaveLength(2);
});

test('however it is fed, it changes at most once a minute, and a last text is shown at last', () => {
  const feed = fc.array(fc.tuple(fc.nat(90_000), fc.constantFrom('a', 'b', 'c')), { minLength: 1 });
  fc.assert(
    fc.property(feed, (steps) => {
      const { shown, at } = setUp();
      let time = 0;
      for (const [pause, text] of steps) {
        time += pause;
        at(time, text);
      }
      const last = steps.at(-1)?.[1] ?? '';
      at(time + 60_000, last);
      expect(shown.at(-1)?.text).toBe(last);
      for (const [index, { at: then }] of shown.slice(1).entries())
        expect(then - (shown[index]?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
    }),
  );
});
