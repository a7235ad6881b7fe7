/** One board, and two real bots with one shared store that could keep it. */
import { describe, expect, vi } from 'vitest';
import { readable } from '../support/readable.ts';
import { hasPostgres } from '../support/requirements.ts';
import { boardChannel, postedIn } from '../support/sandbox.ts';
import { test } from '../support/shared-store.ts';

describe.runIf(hasPostgres)('processes that share a store (needs postgres)', () => {
  test('keep one board with one message, and when its process dies the other continues', async ({
    shared: { chat, dataService, here, startBot },
  }) => {
    const channel = boardChannel(chat);
    const posted = () => postedIn(chat, channel);
    const shown = () => posted().map(readable).join();
    const holder = await startBot();
    expect((await here.ask('board create', { channel })).text).toMatch(/The live board (?:is|will be) in/);
    await vi.waitFor(() => expect(shown()).toContain('🟢 live'), 20_000);
    const [board] = posted();
    expect(posted()).toHaveLength(1);
    const other = await startBot('auto', 'standby');

    await holder.stop('SIGKILL');
    const left = posted()[0]?.edited_timestamp;
    // A board is edited only when there is something new to show.
    dataService.advance(600);
    await vi.waitFor(() => expect(posted()[0]?.edited_timestamp).not.toBe(left), 40_000);
    expect(posted().map(({ id }) => id)).toEqual([board?.id]);
    await holder.start();
    await vi.waitFor(() => expect(holder.output).toContain('"msg":"stands by'), 20_000);

    expect((await here.ask('board remove', { channel })).text).toContain('is removed');
    await vi.waitFor(() => expect(posted()).toEqual([]), 20_000);
    expect(other.output).not.toContain('"bug"');
  }, 90_000);
});
