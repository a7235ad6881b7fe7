import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createBoardChat } from '../../src/discord/board-channel.ts';
import { createGuilds } from '../../src/discord/guilds.ts';

test('a 401 to one request does not silence the next one', async () => {
  const tokens: (string | undefined)[] = [];
  const server = createServer(({ headers }, answer) => {
    tokens.push(headers.authorization);
    const status = tokens.length === 1 ? 401 : 200;
    answer.writeHead(status, { 'Content-Type': 'application/json' }).end('{"id":"1","code":0,"message":"x"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  const chat = createBoardChat({
    guilds: createGuilds(),
    token: 'secret',
    apiUrl: `http://127.0.0.1:${port}/api`,
  });
  const place = { channelId: '7', messageId: '8' };
  const message = { embeds: [{ title: 'x' }], components: [] } as const;
  expect(await chat.edit(place, message)).toMatchObject({ kind: 'refused' });
  expect(await chat.edit(place, message)).toEqual({ kind: 'ok' });
  expect(tokens).toEqual(['Bot secret', 'Bot secret']);
  chat.close();
  server.close();
});
