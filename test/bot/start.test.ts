import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config.ts';
import { SECOND } from '../../src/base/duration.ts';
import { createLog } from '../../src/base/log.ts';
import { startBot } from '../../src/bot/start.ts';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import { test } from '../support/sandbox.ts';

test('a bot that is stopped as it becomes ready begins none of its work', async ({ chat, dataService }) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-'));
  const { config } = readConfig(botSettings(chat, dataService, `sqlite://${join(folder.path, 's.sqlite')}`));
  if (config === null) throw new Error('the settings are wrong');
  const resources = new AsyncDisposableStack();
  const thrown: unknown[] = [];
  const clock: Clock = {
    ...systemClock,
    after: (ms, callback) =>
      systemClock.after(ms, () => {
        try {
          callback();
        } catch (error) {
          thrown.push(error);
        }
      }),
  };
  const stopped = Promise.withResolvers<void>();
  const write = (line: string): void => {
    if (line.includes('"ready"')) stopped.resolve(resources.disposeAsync());
  };
  const log = createLog({ level: 'info', secrets: [], stream: { write } });
  await startBot(config, { clock, log, resources }).catch(() => {});
  await stopped.promise;
  await new Promise((resolve) => setTimeout(resolve, SECOND));
  expect(thrown).toEqual([]);
});
