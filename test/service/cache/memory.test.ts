import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemory } from '../../../src/service/cache/entry-store.ts';

test('what is held never has more bytes than the bound, and is what was used last', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    bytes: fc.option(fc.integer({ min: 0, max: 120 }), { nil: null }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const memory = createMemory<{ readonly bytes: number }>(100);
      // The same by hand: the newest last.
      let held: { key: string; bytes: number }[] = [];
      for (const { key, bytes } of steps) {
        const known = held.find((one) => one.key === key);
        if (bytes === null) expect(memory.get(key)?.bytes).toBe(known?.bytes);
        else memory.set(key, { bytes }, bytes);
        const size = bytes ?? known?.bytes;
        if (size === undefined) continue;
        held = [...held.filter((one) => one.key !== key), { key, bytes: size }];
        while (held.reduce((sum, one) => sum + one.bytes, 0) > 100) held.shift();
      }
      for (const key of 'abcdef') {
        expect(memory.get(key)?.bytes).toBe(held.find((one) => one.key === key)?.bytes);
      }
    }),
  );
});
