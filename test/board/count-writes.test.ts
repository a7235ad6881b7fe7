import { expect, test } from 'vitest';
import type { BoardChannels, BoardMessage, Refusal } from '../../src/board/channels.ts';
import { countWrites } from '../../src/board/count-writes.ts';

const place = { channelId: '1', messageId: '2' };
const message: BoardMessage = { embeds: [{}], components: [] };

/** Refuses as told, and says what was asked of it. */
function createChat() {
  const state: { refusal: Refusal | null; readonly asked: string[] } = { refusal: null, asked: [] };
  const done = async (what: string) => {
    state.asked.push(what);
    return state.refusal ?? { kind: 'ok' as const };
  };
  const chat: BoardChannels = {
    access: () => ({ kind: 'open' }),
    writable: () => [],
    requestsNow: () => 0,
    topic: () => ({ kind: 'open', topic: null }),
    voice: () => ({ kind: 'open' }),
    onAccess: () => () => {},
    send: async () => {
      state.asked.push('send');
      return state.refusal ?? { kind: 'sent', messageId: '2' };
    },
    edit: () => done('edit'),
    remove: () => done('remove'),
    checkMessage: () => done('check'),
    find: async () => ({ kind: 'found', messageIds: [] }),
    changeTopic: () => done('topic'),
    setVoiceStatus: () => done('status'),
    notify: () => done('notify'),
  };
  return { chat, state };
}

test('messages sent and edited are counted by their outcome, and every answer passes unchanged', async () => {
  const { chat: given, state } = createChat();
  const { channels, counts } = countWrites(given);
  expect(counts()).toEqual([]);
  expect(await channels.send('1', message, 'n')).toEqual({ kind: 'sent', messageId: '2' });
  expect(await channels.edit(place, message)).toEqual({ kind: 'ok' });
  state.refusal = { kind: 'too-fast', retryAfter: 1000, counted: true };
  expect(await channels.edit(place, message)).toBe(state.refusal);
  expect(await channels.send('1', message, 'n')).toBe(state.refusal);
  // Nothing is written by these.
  await channels.checkMessage(place);
  await channels.remove(place);
  expect(counts()).toEqual([
    { outcome: 'ok', count: 2 },
    { outcome: 'too-fast', count: 2 },
  ]);
  expect(state.asked).toEqual(['send', 'edit', 'edit', 'send', 'check', 'remove']);
});
