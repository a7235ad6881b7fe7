import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LONG_TESTS, Order } from './support/order.ts';

/** What is named is run whole, in any mode. */
const isNamed = process.argv.some(
  (argument) => argument.startsWith('test/') && !argument.endsWith('config.ts'),
);

/** What Node has compiled stays for the next run. */
const compiled = join(tmpdir(), 'pitwall-compiled');
/** The folders of tests lie in memory, if it holds them: their stores wait for the disk at each write, as real ones do. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;
if (process.env['TMPDIR'] === undefined && existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize >= NEEDED_BYTES) process.env['TMPDIR'] = MEMORY;
}

/** `npm test` leaves out what takes long; `npm run test:all`, which is the mode `all`, runs everything. */
export default defineConfig(({ mode }) => ({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(mode === 'all' || isNamed ? [] : LONG_TESTS)],
    // No file leaves state behind in its process, so the next one need not reload everything.
    isolate: false,
    // Node runs the sources as it does for the bot; every call into another module is slower through Vite's runner.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Half as many again as there are cores for long tests, which often wait; with more, bots would be late for Discord.
    maxWorkers: Math.min(8, Math.ceil(availableParallelism() * (mode === 'all' ? 1.5 : 1))),
    // A machine that stands still for a moment is no fault of the bot's; a fault comes again.
    retry: process.env['CI'] === undefined ? 0 : 1,
    sequence: { sequencer: Order },
    // Everything that is loaded lives long; V8 would expect the same of what the tests make, and collect it at a high price.
    execArgv: ['--no-allocation-site-pretenuring'],
    env: { NODE_COMPILE_CACHE: compiled },
    // Those that compute for three seconds on quiet cores take twelve times as long on crowded ones.
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // What comes comes at once; on a crowded machine a second is not enough for it.
    expect: { poll: { timeout: 20_000 } },
  },
}));
