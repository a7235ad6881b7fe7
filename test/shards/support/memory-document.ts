import type { Clock } from '../../../src/base/clock.ts';
import { StoreError } from '../../../src/base/errors.ts';
import type { SharedDocument } from '../../../src/store/shared-document.ts';

export interface MemoryDocument extends SharedDocument {
  text: string | null;
  broken: boolean;
  /** Milliseconds: it is written at once, and the writer hears of it so much later. */
  late: number;
}

export function createMemoryDocument(clock: Clock): MemoryDocument {
  const check = (): void => {
    if (memory.broken) throw new StoreError('the store is away');
  };
  const memory: MemoryDocument = {
    text: null,
    broken: false,
    late: 0,
    async read() {
      check();
      return { text: memory.text, now: clock.now() };
    },
    async replace(from, next) {
      check();
      if (memory.text !== from) return false;
      memory.text = next;
      if (memory.late > 0) await new Promise<void>((resolve) => clock.after(memory.late, resolve));
      return true;
    },
  };
  return memory;
}
