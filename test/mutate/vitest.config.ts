import { defineConfig } from 'vitest/config';

/** The tests of the files that `npm run mutate` changes line by line, all on virtual time. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/base/{job,zone}.test.ts',
      'test/messages/boards/{next-step,update,backoff,pace,stored-boards,scenarios}.test.ts',
      'test/messages/outbox/*.test.ts',
      'test/commands/{alerts,convoys,recap,roles}/{models,jobs}/*.test.ts',
      'test/community/history/recorder.test.ts',
      'test/community/accounts/*.test.ts',
      'test/store/shards/shards.test.ts',
      'test/service/cache/cache.test.ts',
      'test/service/budget/{admission,estimate,headers,learn,describe-budget,no-permit,durable-clock}.test.ts',
    ],
    testTimeout: 20_000,
    isolate: false,
  },
});
