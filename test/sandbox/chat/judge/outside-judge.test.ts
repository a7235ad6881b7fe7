import { describe, expect, test } from 'vitest';
import { judge, startChatServer } from '../../../support/outside-judge.ts';

const post = { method: 'POST', path: '/channels/1/messages', copy: null, status: 500, at: 0 };
const button = { type: 2, style: 2, label: 'Press', custom_id: 'x' };
const row = (...components: readonly unknown[]) => ({ type: 1, components });

describe('the outside judge', () => {
  test.each([
    ['a title of 257 characters', { embeds: [{ title: 'x'.repeat(257) }] }],
    ['26 fields', { embeds: [{ fields: Array.from({ length: 26 }, () => ({ name: 'a', value: 'b' })) }] }],
    ['eleven embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }],
    ['a custom id of 101 characters', { components: [row({ ...button, custom_id: 'x'.repeat(101) })] }],
    ['six buttons in a row', { components: [row(...Array.from({ length: 6 }, () => button))] }],
    ['a style that is none', { components: [row({ ...button, style: 9 })] }],
    ['a menu without options', { components: [row({ type: 3, custom_id: 'x', options: [] })] }],
    ['a nonce of 26 characters', { content: 'x', nonce: 'x'.repeat(26) }],
  ])('complains of %s', (_what, body) => {
    expect(judge(post, body, undefined)).toEqual([
      expect.stringContaining('asked POST /channels/*/messages'),
    ]);
  });

  test.each([
    ['a radio group of one choice', { type: 21, custom_id: 'x', options: [{ label: 'A', value: 'a' }] }],
    ['a checkbox group of none', { type: 22, custom_id: 'x', options: [] }],
    ['a box without an id', { type: 23 }],
  ])('complains of a window with %s', (_what, component) => {
    const data = { custom_id: 'x', title: 'x', components: [{ type: 18, label: 'x', component }] };
    const window = { type: 9, data };
    expect(judge({ ...post, path: '/interactions/1/token/callback' }, window, undefined)).toEqual([
      expect.stringContaining('asked POST /interactions/*/*/callback'),
    ]);
  });

  test('complains of an answer that lacks what every message has', () => {
    const answered = judge({ ...post, status: 200 }, { content: 'x' }, { id: '1', content: 'x' });
    expect(answered).toEqual([expect.stringContaining('answered POST /channels/*/messages')]);
  });

  test('takes what Discord takes', () => {
    expect(judge(post, { content: 'x', components: [row(button)] }, undefined)).toEqual([]);
  });

  test('makes a test fail whose bot sent what Discord would not take', async () => {
    const chat = await startChatServer();
    // The sandbox has no word on applied tags, which are ids.
    const sent = await fetch(`${chat.apiUrl}/v10/channels/${chat.channels[0]?.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${chat.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'x', sticker_ids: ['none'] }),
    });
    expect(sent.status).toBe(200);
    await expect(chat.close()).rejects.toThrow(/sticker_ids/);
  });
});
