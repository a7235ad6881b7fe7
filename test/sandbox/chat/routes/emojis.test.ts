import { expect } from 'vitest';
import { complaintsAt, test } from '../support/chat-test.ts';

const base = (applicationId: string): string => `/applications/${applicationId}/emojis`;

function image(bytes: number, kind = 'png'): string {
  return `data:image/${kind};base64,${Buffer.alloc(bytes, 1).toString('base64')}`;
}

test('an emoji is listed, read, shown and deleted', async ({ chat, ask }) => {
  const made = await ask('POST', base(chat.botId), { name: 'pw1_gs2', image: image(10) });
  expect(made.status).toBe(201);
  const { id = '' } = made.body;
  expect(await ask('GET', base(chat.botId))).toMatchObject({
    status: 200,
    body: { items: [{ id, name: 'pw1_gs2', animated: false, user: { id: chat.botId } }] },
  });
  expect((await ask('GET', `${base(chat.botId)}/${id}`)).body.name).toBe('pw1_gs2');

  const picture = await fetch(chat.emojiPicture(id) ?? '');
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array(10).fill(1));

  expect((await ask('DELETE', `${base(chat.botId)}/${id}`)).status).toBe(204);
  expect(await ask('GET', `${base(chat.botId)}/${id}`)).toMatchObject({ status: 404, body: { code: 10014 } });
  expect(chat.emojiPicture(id)).toBeNull();
});

for (const [name, picture, field, code] of [
  ['a', image(1), 'name', 'BASE_TYPE_BAD_LENGTH'],
  ['n'.repeat(33), image(1), 'name', 'BASE_TYPE_BAD_LENGTH'],
  ['not-a-name', image(1), 'name', 'STRING_TYPE_REGEX'],
  ['fine', 'https://example.com/a.png', 'image', 'IMAGE_INVALID'],
  ['fine', image(1, 'bmp'), 'image', 'IMAGE_INVALID'],
  ['fine', image(256 * 1024 + 1), 'image', 'BINARY_TYPE_MAX_SIZE'],
] as const)
  test(`${code} for the ${field} of ${name} with ${picture.slice(0, 30)}`, async ({ chat, ask }) => {
    const refused = await ask('POST', base(chat.botId), { name, image: picture });
    expect(complaintsAt(refused, field)).toEqual([code]);
  });

test('a name is given once', async ({ chat, ask }) => {
  await ask('POST', base(chat.botId), { name: 'twice', image: image(1) });
  const again = await ask('POST', base(chat.botId), { name: 'twice', image: image(1) });
  expect(complaintsAt(again, 'name')).toEqual(['APPLICATION_EMOJI_NAME_ALREADY_TAKEN']);
});

test("another application's emoji are not there", async ({ ask }) => {
  expect(await ask('GET', base('1'))).toMatchObject({ status: 404, body: { code: 10002 } });
});
