import { expect, vi } from 'vitest';
import { readable } from '../support/readable.ts';
import { boardChannel, postedIn, test } from '../support/sandbox.ts';

test('/board create makes a board that outlives a restart, /board remove takes it down', async ({
  bot,
  chat,
  visitor,
}) => {
  const channel = boardChannel(chat);
  const there = () => postedIn(chat, channel);
  // A board waits for its budget; data that a person has just requested is there at once.
  await visitor.ask('members', {});
  const made = await visitor.ask('board create', { channel });
  expect(made).toMatchObject({ private: true });
  expect(made.text).toContain('The live board is in');
  expect(there()).toHaveLength(1);
  const [before] = there();
  if (before === undefined) throw new Error('there is no board');
  await vi.waitFor(() => expect(readable(there()[0] ?? before)).toContain('🟢 live'), 20_000);
  expect((await visitor.ask('board list', {})).text).toContain('live');

  await bot.stop();
  expect(readable(there()[0] ?? before)).toContain('⏸️ paused');
  await bot.start();
  await vi.waitFor(() => expect(readable(there()[0] ?? before)).toContain('🟢 live'), 30_000);
  expect(there().map(({ id }) => id)).toEqual([before.id]);

  expect((await visitor.ask('board create', { channel })).text).toContain('already');
  expect((await visitor.ask('board test', { channel })).text).toContain('✅');
  expect((await visitor.ask('board remove', { channel })).text).toContain('is removed');
  expect(there()).toEqual([]);
}, 60_000);
