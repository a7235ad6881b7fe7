import { defineConfig } from 'vitest/config';

/** The tables over the pure files that `npm run mutate` changes line by line, and nothing slower. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/base/{every,zone}.test.ts',
      'test/board/{next-step,update,backoff}.test.ts',
      'test/service/budget/{admission,estimate,headers,learn,describe-budget,no-permit,durable-clock}.test.ts',
    ],
    testTimeout: 20_000,
    isolate: false,
  },
});
