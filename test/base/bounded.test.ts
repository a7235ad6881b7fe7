import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundedMap } from '../../src/base/bounded.ts';

test('what is held has no more bytes and entries than allowed, and was set last', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    bytes: fc.option(fc.integer({ min: 0, max: 120 }), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const memory = createBoundedMap<string, { readonly bytes: number }>(100, ({ bytes }) => bytes, 4);
      // The same by hand: the newest last.
      let held: { key: string; bytes: number }[] = [];
      for (const { key, bytes } of steps) {
        const known = held.find((one) => one.key === key);
        if (bytes === null) expect(memory.get(key)?.bytes).toBe(known?.bytes);
        else memory.set(key, { bytes });
        if (bytes === null) continue;
        held = [...held.filter((one) => one.key !== key), { key, bytes }];
        while (held.length > 4 || held.reduce((sum, one) => sum + one.bytes, 0) > 100) held.shift();
        expect([...memory.values()]).toEqual(held.map((one) => ({ bytes: one.bytes })));
      }
      for (const key of 'abcdef') {
        expect(memory.get(key)?.bytes).toBe(held.find((one) => one.key === key)?.bytes);
      }
    }),
  );
});
