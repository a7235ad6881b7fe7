/** What a namespace of the file does beyond the contract of all stores. */
import { afterEach, describe, expect, vi } from 'vitest';
import { test } from './support.ts';

afterEach(() => void vi.useRealTimers());

describe('a namespace', () => {
  test('forgets a value when its time is over, and not before', async ({ place }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const keyv = (await place.open()).namespace('a', { maxRows: 100, maxBytes: 10_000_000 });
    await keyv.set('short', 1, 1000);
    await keyv.set('long', 1);
    vi.setSystemTime(Date.now() + 999);
    expect(await keyv.get('short')).toBe(1);
    vi.setSystemTime(Date.now() + 2);
    expect(await keyv.get('short')).toBeUndefined();
    expect(await keyv.get('long')).toBe(1);
  });

  test('removes what has expired from the file, read or not', async ({ place }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const stores = await place.open();
    await stores.namespace('a', { maxRows: 100, maxBytes: 10_000_000 }).set('gone', 1, 10);
    vi.setSystemTime(Date.now() + 11);
    await stores.close();
    (await place.open()).namespace('a', { maxRows: 100, maxBytes: 10_000_000 });
    expect(place.ask(`SELECT count(*) FROM entries WHERE namespace = 'a'`)).toBe(0);
  });

  test('throws when the database fails, rather than report a miss', async ({ place }) => {
    const stores = await place.open();
    const keyv = stores.namespace('a', { maxRows: 100, maxBytes: 10_000_000 });
    await stores.close();
    await expect(keyv.get('x')).rejects.toThrow();
    await expect(keyv.set('x', 1)).rejects.toThrow();
    await expect(keyv.delete('x')).rejects.toThrow();
  });
});
