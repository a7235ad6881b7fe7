/** The scenarios that involve the gateway, REST, the store or Discord's own rules, over the real ones. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits } from 'discord.js';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/base/clock.ts';
import { RIGHTS } from '../../../src/cards/board/board.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import type { Service } from '../../../src/service/client.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { createSqliteSql } from '../../../src/store/sqlite/sql.ts';
import { createDocuments } from '../../../src/store/tables/documents.ts';
import { serviceOf } from '../../support/records.ts';
import { allBoards, versionOf } from './support/boards-in-memory.ts';
import { type Live, test } from './support/live.ts';

function isLive({ text }: Live, version: number): () => boolean {
  return () => text().includes('🟢 live') && text().includes(`v${version}`);
}

async function withBoard(live: Live) {
  const copy = await live.start();
  expect(await live.create(copy)).toMatchObject({ kind: 'created' });
  await live.until(isLive(live, 1));
  return copy;
}

/** A request as undici publishes it to its diagnostics channel. */
const Sent = z.object({
  request: z.object({
    origin: z.unknown().transform(String),
    path: z.string(),
    body: z
      .instanceof(Uint8Array)
      .transform((bytes): unknown => JSON.parse(Buffer.from(bytes).toString()))
      .nullish()
      .transform((body) => body ?? null),
  }),
});

function direct({ chat }: Live): readonly string[] {
  const owner = chat.people[0] ?? '';
  const all = chat.visitor(owner).messages(chat.directChannel(owner));
  return all.map(({ content }) => content);
}

/** As after a crash that took what was written last. */
async function loseMessageId({ file, channel }: Live): Promise<void> {
  using database = openDatabase(file, { durable: true });
  const stored = createStoredBoards(createDocuments(createSqliteSql(database, systemClock)));
  expect((await stored.all()).has(channel)).toBe(true);
  const state = await stored.stateOf(channel);
  await stored.saveState(channel, { ...state, posted: null, sending: null });
}

describe('1: the read of the board fails at start', () => {
  test.concurrent.for(['read-500', 'read-unanswered'])('no second board: %s', async (fault, { live }) => {
    const first = await withBoard(live);
    const [message] = live.messages();
    await first.kill();
    await loseMessageId(live);
    live.chat.setFault(fault, true);
    live.game.version = 2;
    await live.start();
    await live.pass(60);
    expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
    live.chat.setFault(fault, false);
    await live.until(isLive(live, 2));
    expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
  });

  test.concurrent.for(['rest-500', 'rest-lost'])(
    'nor when everything else fails, too: %s',
    async (fault, { live }) => {
      await withBoard(live);
      const [message] = live.messages();
      live.chat.setFault(fault, true);
      live.game.version = 2;
      await live.pass(60);
      live.chat.setFault(fault, false);
      await live.until(isLive(live, 2));
      expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
    },
  );
});

describe('2: deleted by a moderator', () => {
  test.concurrent('it is back within one cycle, once', async ({ live }) => {
    await withBoard(live);
    live.chat.moderator.deleteMessage(live.messages()[0]?.id ?? '');
    await live.until(() => live.messages().length > 0, 40);
    await live.pass(60);
    expect(live.messages()).toHaveLength(1);
  });
});

describe('3: rights removed, later restored', () => {
  test.concurrent.for(RIGHTS)(
    '%s: paused, its maker notified once, resumed on the same message',
    async (right, { live }) => {
      await withBoard(live);
      const [message] = live.messages();
      const overwrite = { id: live.chat.botId, type: 'member', allow: 0n } as const;
      live.chat.moderator.setOverwrite(live.channel, { ...overwrite, deny: PermissionFlagsBits[right] });
      live.game.version = 2;
      await live.until(() => direct(live).length > 0);
      const before = live.requests();
      await live.pass(60);
      expect(live.requests()).toBe(before);
      expect(direct(live)).toEqual([expect.stringContaining(right.replace(/(?<=[a-z])(?=[A-Z])/g, ' '))]);
      live.chat.moderator.setOverwrite(live.channel, { ...overwrite, deny: 0n });
      await live.until(isLive(live, 2));
      expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
      expect(direct(live)).toHaveLength(1);
    },
  );
});

describe('4: Discord says that it is too fast', () => {
  test.concurrent.for(['rate-limited', 'edit-30046'])(
    'the newest state afterwards, never an older one: %s',
    async (fault, { live }) => {
      // The library waits by its own clock for as long as a 429 says.
      live.slowDown();
      await withBoard(live);
      const shown: number[] = [];
      const off = live.chat.subscribe((event) => {
        if (event.type !== 'message') return;
        const [embed] = event.message.embeds;
        const version = embed === undefined ? null : versionOf({ embeds: [embed], components: [] });
        if (version !== null) shown.push(version);
      });
      live.chat.setFault(fault, true);
      for (let second = 0; second < 60; second += 1) {
        live.game.version += 1;
        await live.pass(1);
      }
      live.chat.setFault(fault, false);
      await live.until(isLive(live, live.game.version));
      await live.pass(20);
      off();
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
      expect(shown.at(-1)).toBe(live.game.version);
    },
  );
});

/** Everything as long and as hostile as it may be. */
function hostile(live: Live): Service {
  const name = '@everyone <@1> `*_~|[x](https://a.b) \u202e👨‍👩‍👧‍👦'.padEnd(64, '>');
  const servers = ['one', 'two', 'three', 'events', 'training'];
  const bodies: Readonly<Record<string, unknown>> = {
    overview: Object.fromEntries(
      servers.map((server) => [
        server,
        { online: true, trackName: name.repeat(4), guests: 47, maxGuests: 47 },
      ]),
    ),
    'chat-status': {
      name: name.repeat(3),
      members: Array.from({ length: 100 }, (_, index) => ({
        id: `${index}`,
        username: name,
        status: 'online',
      })),
      channels: Array.from({ length: 50 }, (_, index) => ({ id: `${index}`, name, position: index })),
    },
    live: {
      server: 'One',
      time: 0,
      players: Object.fromEntries(
        Array.from({ length: 47 }, (_, index) => [index, { cop: true, isChased: true }]),
      ),
    },
  };
  return serviceOf(bodies, () => ({ asOf: live.clock.now(), stale: null }));
}

describe('6: 100 hostile names, 5 full servers', () => {
  test.concurrent('fits, and is taken by Discord at the first attempt', async ({ live }) => {
    const copy = await live.start(hostile(live));
    expect(await live.create(copy, { members: 'on' })).toMatchObject({ kind: 'created' });
    await live.until(() => live.messages().length === 1);
    const [message] = live.messages();
    expect(message?.embeds[0]?.fields?.map(({ value }) => value).join('\n')).toMatch(/\+\d+ more/);
    expect((await copy.boards.list(live.chat.guildId))[0]?.errors).toEqual([]);
  });
});

test.concurrent('whatever it sends, edits or writes to a person switches mentions off', async ({ live }) => {
  const bodies: unknown[] = [];
  const note = (message: unknown): void => {
    const { request } = Sent.parse(message);
    if (request.origin !== new URL(live.chat.apiUrl).origin) return;
    if (request.path.includes(live.channel) || request.path.includes(direct)) bodies.push(request.body);
  };
  const owner = live.chat.people[0] ?? '';
  const direct = live.chat.directChannel(owner);
  subscribe('undici:request:create', note);
  try {
    const { boards } = await withBoard(live);
    await boards.test(live.chat.guildId, live.channel, 'en');
    live.game.version = 2;
    await live.until(isLive(live, 2));
    live.chat.moderator.deleteChannel(live.channel);
    await live.until(() => live.chat.visitor(owner).messages(direct).length > 0);
  } finally {
    unsubscribe('undici:request:create', note);
  }
  const written = bodies.filter((body) => body !== null);
  // The board, the trial message, the edit, the message to the person who made it.
  expect(written.length).toBeGreaterThanOrEqual(4);
  for (const body of written) expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
});

describe('8: a message is sent and the answer is none', () => {
  test.concurrent.for(['post-500-after-create', 'post-502-after-create', 'post-lost', 'post-unanswered'])(
    'there is one message: %s',
    async (fault, { live }) => {
      const copy = await live.start();
      live.chat.setFault(fault, true, 1);
      await live.create(copy);
      await live.until(isLive(live, 1));
      await live.pass(30);
      expect(live.messages()).toHaveLength(1);
    },
  );

  test.concurrent('one made while every send goes so for a minute is one message, too', async ({ live }) => {
    const copy = await live.start();
    live.chat.setFault('post-lost', true);
    await live.create(copy);
    await live.pass(60);
    live.chat.setFault('post-lost', false);
    await live.until(isLive(live, 1));
    expect(live.messages()).toHaveLength(1);
  });
});

describe('9: killed between send and store', () => {
  test.concurrent('the next start adopts it, behind 300 messages of other people', async ({ live }) => {
    const first = await live.start();
    live.chat.setFault('post-unanswered', true, 1);
    void live.create(first).catch(() => {});
    await live.until(() => live.messages().length === 1);
    await first.kill();
    const [message] = live.messages();
    const neighbour = live.chat.visitor(live.chat.people[1] ?? '');
    for (let count = 0; count < 300; count += 1) neighbour.say(live.channel, `message ${count}`);
    live.game.version = 2;
    await live.start();
    await live.until(isLive(live, 2));
    expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
  });
});

describe('10: the live connection', () => {
  test.concurrent.for(['gateway-drop', 'gateway-reconnect', 'gateway-invalid'])(
    '%s leaves it untouched',
    async (fault, { live }) => {
      await withBoard(live);
      const [message] = live.messages();
      live.chat.setFault(fault, true);
      live.game.version = 2;
      await live.until(isLive(live, 2));
      expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
      expect(direct(live)).toEqual([]);
    },
  );

  test.concurrent('an unavailable guild leaves it untouched, and it continues afterwards', async ({
    live,
  }) => {
    await withBoard(live);
    const [message] = live.messages();
    live.chat.setFault('guild-unavailable', true);
    live.game.version = 2;
    await live.pass(10);
    const before = live.requests();
    await live.pass(60);
    expect(live.requests()).toBe(before);
    live.chat.setFault('guild-unavailable', false);
    await live.until(isLive(live, 2));
    expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
  });
});

describe('11: two copies running', () => {
  test.concurrent('one edits; the other takes over', async ({ live }) => {
    const first = await withBoard(live);
    await live.start();
    live.game.version = 2;
    await live.until(isLive(live, 2));
    await first.stop();
    live.game.version = 3;
    await live.until(isLive(live, 3), 40);
    expect(live.messages()).toHaveLength(1);
  });
});

describe('12: the channel is deleted', () => {
  test.concurrent('its maker notified once, settings stored, no further call', async ({ live }) => {
    const { boards } = await withBoard(live);
    live.chat.moderator.deleteChannel(live.channel);
    await live.until(() => direct(live).length > 0);
    const before = live.requests();
    await live.pass(60);
    expect(live.requests()).toBe(before);
    expect(direct(live)).toHaveLength(1);
    expect(await boards.list(live.chat.guildId)).toMatchObject([{ paused: { why: 'channel' } }]);
  });
});

describe('13: the store is cut off at any byte', () => {
  test.concurrent('it is an earlier state, and never a second board', async ({ live }) => {
    const copy = await withBoard(live);
    live.game.version = 2;
    await live.until(isLive(live, 2));
    const [message] = live.messages();
    await copy.kill();
    const log = `${live.file}-wal`;
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-cut-'));
    const file = join(folder, 'store.sqlite');
    // A crash can cut off only the log of writes: everything else has been on the disk before.
    const { size } = existsSync(log) ? statSync(log) : { size: 0 };
    const step = Math.max(1, Math.floor(size / 200));
    let states = 0;
    for (let bytes = 0; bytes <= size; bytes += step) {
      cpSync(live.file, file);
      if (size > 0) {
        cpSync(log, `${file}-wal`);
        truncateSync(`${file}-wal`, bytes);
      }
      using database = openDatabase(file, { durable: true });
      const all = await allBoards(
        createStoredBoards(createDocuments(createSqliteSql(database, systemClock))),
      );
      expect(all.length).toBeLessThanOrEqual(1);
      for (const { state } of all) expect([null, message?.id]).toContain(state.posted);
      states += all.length;
    }
    expect(states).toBeGreaterThan(0);
    expect(readFileSync(file).length).toBeGreaterThan(0);
    rmSync(folder, { recursive: true, force: true });
  });

  test.concurrent('a board whose message id was lost with it finds its message again', async ({ live }) => {
    const copy = await withBoard(live);
    const [message] = live.messages();
    await copy.kill();
    await loseMessageId(live);
    live.game.version = 2;
    await live.start();
    await live.until(isLive(live, 2));
    expect(live.messages().map(({ id }) => id)).toEqual([message?.id]);
  });
});

describe('what people may do', () => {
  test.concurrent('a board is made once in a channel, listed, moved and taken down', async ({ live }) => {
    const { boards } = await withBoard(live);
    const guildId = live.chat.guildId;
    const madeBy = live.chat.people[0] ?? '';
    const asked = { guildId, channelId: live.channel, madeBy, locale: 'en', colours: true };
    expect(await boards.create(asked)).toEqual({ kind: 'there' });
    expect(await boards.list(guildId)).toMatchObject([{ mode: 'live', paused: null, errors: [] }]);
    const other = live.chat.channels.find(({ id, type }) => type === 0 && id !== live.channel)?.id ?? '';
    expect(await boards.move(guildId, live.channel, { ...asked, channelId: other })).toMatchObject({
      ...{ created: { kind: 'created' }, removed: { isMessageLeft: false } },
    });
    expect(live.messages()).toEqual([]);
    expect(
      live.chat
        .visitor(madeBy)
        .messages(other)
        .filter(({ author }) => author.id === live.chat.botId),
    ).toHaveLength(1);
    expect(await boards.test(guildId, live.channel, 'en')).toEqual({ kind: 'ok' });
    expect(live.messages()).toEqual([]);
    expect(await boards.remove(guildId, other)).toEqual({ isMessageLeft: false });
    expect(await boards.remove(guildId, other)).toBeNull();
    expect(await boards.list(guildId)).toEqual([]);
  });

  test.concurrent('a line of an earlier version leaves the topic, and nothing else does', async ({
    live,
  }) => {
    const { chat, channel } = live;
    const line = '🏁 14:05 UTC · 21 driving';
    chat.moderator.setTopic(channel, `${line} ┃ Be kind.`);
    const allow = PermissionFlagsBits.ManageChannels;
    chat.moderator.setOverwrite(channel, { id: chat.botId, type: 'member', allow, deny: 0n });
    const { kill } = await withBoard(live);
    await kill();
    await live.rewriteState((state) => ({ ...state, topic: [line] }));
    await live.start();
    const topic = () => {
      const there = chat.channels.find(({ id }) => id === channel);
      return there !== undefined && 'topic' in there ? there.topic : null;
    };
    await live.until(() => topic() === 'Be kind.');
  });

  test.concurrent('a channel where rights are missing is refused with their names', async ({ live }) => {
    const { boards } = await live.start();
    const deny = PermissionFlagsBits.SendMessages | PermissionFlagsBits.ReadMessageHistory;
    live.chat.moderator.setOverwrite(live.channel, { id: live.chat.botId, type: 'member', allow: 0n, deny });
    await live.pass(5);
    const asked = {
      guildId: live.chat.guildId,
      channelId: live.channel,
      madeBy: live.chat.people[0] ?? '',
      locale: 'en',
      colours: true,
    };
    expect(await boards.create(asked)).toEqual({
      kind: 'missing',
      rights: ['SendMessages', 'ReadMessageHistory'],
    });
    expect(await boards.create({ ...asked, channelId: '1' })).toEqual({ kind: 'unknown-channel' });
    expect(await boards.list(live.chat.guildId)).toEqual([]);
  });
});
