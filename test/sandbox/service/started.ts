import { onTestFinished } from 'vitest';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';

/** A Saturday afternoon, 26 seconds past the minute. */
export const START = Date.UTC(2026, 2, 14, 15, 9, 26);

/** A service on a clock that stands still until it is moved, closed when the test is over. */
export async function started(options: Parameters<typeof startDataService>[0] = {}) {
  let time = START;
  const service = await startDataService({ now: () => time, ...options });
  onTestFinished(() => service.close());
  const ask = (path: string, query: Record<string, string> = {}, key: string | null = service.key) =>
    fetch(`${service.url}${path}?${new URLSearchParams({ ...(key === null ? {} : { key }), ...query })}`);
  return {
    service,
    ask,
    async body(path: string, query: Record<string, string> = {}): Promise<unknown> {
      return (await ask(path, query)).json();
    },
    pass(seconds: number) {
      time += seconds * 1000;
    },
    now: () => time,
  };
}

export const everyFlag = { stats: '1', cars: '1', licenses: '1', upgrades: '1', properties: '1' };
