/** Connections that something on the way has forgotten without a word: bytes disappear, and nobody closes anything. */
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChatInputCommandInteraction, MessageFlags } from 'discord.js';
import { test as base, expect } from 'vitest';
import {
  createMakeRequest,
  withoutRepeats,
  withSecondTries,
} from '../../../src/discord/rest/make-request.ts';
import { createRestClient } from '../../../src/discord/rest/rest-client.ts';
import { commandOver } from '../../support/interaction.ts';
import { listenOnFreePort } from '../../support/listen.ts';

interface Stage {
  readonly discord: {
    readonly interaction: ChatInputCommandInteraction;
    /** Makes the bot hold so many idle connections. */
    warm(connections: number): Promise<void>;
    /** From now on, the open connections pass nothing on: to Discord, or back. */
    forget(direction: 'to Discord' | 'back'): void;
    /** Interactions' callbacks that arrived. */
    callbacks: number;
    /** Connections that were opened. */
    connections: number;
  };
}

const test = base.extend<Stage>({
  discord: async ({ task: _ }, use) => {
    let release = (): void => {};
    let expected = 0;
    const waiting: (() => void)[] = [];
    const api = createHttpServer((request, response) => {
      if (request.url?.includes('/callback')) {
        stage.callbacks += 1;
        const isFirst = stage.callbacks === 1;
        response.writeHead(isFirst ? 204 : 400, isFirst ? {} : { 'content-type': 'application/json' });
        response.end(
          isFirst ? undefined : '{"code":40060,"message":"Interaction has already been acknowledged."}',
        );
        return;
      }
      // Together, so that each has a connection of its own.
      waiting.push(() => response.writeHead(204).end());
      if (waiting.length === expected) release();
    });
    const port = await listenOnFreePort(api);
    const links: { swallows: 'to Discord' | 'back' | null; near: Socket; far: Socket }[] = [];
    const proxy = createServer((near) => {
      stage.connections += 1;
      const link = { swallows: null as 'to Discord' | 'back' | null, near, far: connect(port, '127.0.0.1') };
      links.push(link);
      near.on('data', (bytes) => void (link.swallows === 'to Discord' || link.far.write(bytes)));
      link.far.on('data', (bytes) => void (link.swallows === 'back' || near.write(bytes)));
      for (const socket of [near, link.far]) socket.on('error', () => {});
    });
    const origin = `http://127.0.0.1:${await listenOnFreePort(proxy)}`;
    const rest = createRestClient({
      token: 'none',
      apiUrl: origin,
      makeRequest: withSecondTries(withoutRepeats(createMakeRequest(origin))),
    });
    const stage: Stage['discord'] = {
      interaction: commandOver(rest),
      async warm(connections) {
        expected = connections;
        release = () => {
          for (const respond of waiting.splice(0)) respond();
        };
        await Promise.all(
          Array.from({ length: connections }, (_, index) => rest.get(`/channels/${index}`, { auth: false })),
        );
        // A response is there before its connection is idle.
        await nextTurn();
      },
      forget(direction) {
        for (const link of links) link.swallows = direction;
      },
      callbacks: 0,
      connections: 0,
    };
    await use(stage);
    for (const { near, far } of links) for (const socket of [near, far]) socket.destroy();
    proxy.close();
    api.close();
  },
});

test('the first response arrives although every idle connection is dead', async ({ discord }) => {
  await discord.warm(3);
  discord.forget('to Discord');
  await discord.interaction.deferReply({ flags: MessageFlags.Ephemeral });
  expect(discord.callbacks).toBe(1);
});

test('a first response whose confirmation was lost is known to have arrived', async ({ discord }) => {
  await discord.warm(1);
  discord.forget('back');
  await discord.interaction.deferReply({ flags: MessageFlags.Ephemeral });
  expect(discord.callbacks).toBe(2);
});

test('a connection that works is used again', async ({ discord }) => {
  await discord.warm(1);
  await discord.interaction.deferReply({ flags: MessageFlags.Ephemeral });
  expect(discord.connections).toBe(1);
});
