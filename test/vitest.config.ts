import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { Order } from './support/order.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/global-setup.ts'],
    include: ['test/**/*.test.ts'],
    // No file leaves state behind in its process, so the next one need not reload everything.
    isolate: false,
    // Node runs the sources as it does for the bot; every call into another module is slower through Vite's runner.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Two more than a small machine has cores: scenarios wait for deadlines of the bot more than they compute.
    maxWorkers: 4,
    sequence: { sequencer: Order },
    // V8 takes it from the loading of everything that objects live long, and puts them where collecting is dear.
    execArgv: ['--no-allocation-site-pretenuring'],
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'pitwall-compiled') },
    testTimeout: 40_000,
    hookTimeout: 30_000,
  },
});
