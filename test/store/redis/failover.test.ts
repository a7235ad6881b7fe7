/** A Redis whose address leads to another server than before. */
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../../src/store/redis/connection.ts';
import { listenOnFreePort } from '../../support/listen.ts';

/** Answers every command; to those about `key` as a replica does, on that many connections. */
async function serve(
  replicas: number,
): Promise<{ readonly url: string; readonly connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const takes = connections > replicas;
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    // Commands are lists, each of which begins with the number of its words.
    socket.on('data', (text: string) => {
      for (const command of text.split(/^\*\d+\r\n/m).slice(1))
        socket.write(takes || !command.includes('key') ? '+OK\r\n' : '-READONLY a replica\r\n');
    });
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  return { url: `redis://127.0.0.1:${port}`, connections: () => connections };
}

function connectTo(url: string) {
  const heard: string[] = [];
  let back = Promise.withResolvers<void>();
  const connection = connectRedis({
    url,
    onAway: () => heard.push('away'),
    onBack() {
      heard.push('back');
      back.resolve();
      back = Promise.withResolvers();
    },
  });
  onTestFinished(() => connection.close());
  return { connection, heard, isBack: () => back.promise };
}

test('leaves a server that became a replica for the one that the address now leads to', async () => {
  const { url, connections } = await serve(1);
  const { connection, heard, isBack } = connectTo(url);
  await connection.reached;
  const returned = isBack();
  await expect(connection.send('SET', 'key', '1')).rejects.toMatchObject({ trouble: 'away' });
  await returned;
  expect(await connection.send('SET', 'key', '1')).toBe('OK');
  expect([connections(), ...heard]).toEqual([2, 'away', 'back']);
});

test('where all are replicas, not every write makes a new connection', async () => {
  const { url, connections } = await serve(9);
  const { connection, isBack } = connectTo(url);
  await connection.reached;
  const returned = isBack();
  for (const _ of [1, 2]) await expect(connection.send('SET', 'key', '1')).rejects.toBeInstanceOf(Error);
  await returned;
  for (const _ of [1, 2]) await expect(connection.send('SET', 'key', '1')).rejects.toThrow('Redis');
  expect(await connection.send('GET', 'other')).toBe('OK');
  expect(connections()).toBe(2);
});
