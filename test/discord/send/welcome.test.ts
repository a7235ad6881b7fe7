import { ChannelType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import type { Guild } from '../../../src/discord/gateway/guild.ts';
import { createWelcome } from '../../../src/discord/send/welcome.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { strayMarkup } from '../../support/markup.ts';
import { outboxTo } from '../../support/messages.ts';
import { createTranslators } from '../../support/translators.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const HOUR = 3_600_000;
const guild: Guild = {
  ...{ id: '7', name: 'The paddock', ownerId: '1', locale: 'de', joinedAt: NOW - 1000 },
  ...{ systemChannelId: '70', roles: new Map(), mayWriteIn: () => true },
  channels: new Map([['70', { type: ChannelType.GuildText }]]),
};
/** Where the bot may not write in the channel in which Discord announces newcomers. */
const silent: Guild = { ...guild, mayWriteIn: () => false };

/** Some processes with one store; Discord takes what is sent, or not. */
function startProcesses(processes: number) {
  const sent: { readonly route: string; readonly body: unknown }[] = [];
  const documents = documentsInMemory();
  const notices: unknown[] = [];
  const discord = { takes: true };
  const rest: Parameters<typeof outboxTo>[0] = {
    async post(route, request) {
      if (!discord.takes) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      sent.push({ route, body: request?.body });
    },
  };
  const start = () => {
    const { outbox, runs } = outboxTo(rest, { documents, clock: { ...systemClock, now: () => NOW } });
    const send: typeof outbox.send = async (message: Parameters<typeof outbox.send>[0]) => {
      if (message.to.kind === 'channel') return outbox.send(message);
      notices.push(message);
      return 'sent';
    };
    const welcome = createWelcome({
      outbox: { send },
      ...{
        translatorFor: createTranslators(),
        now: () => NOW,
        log: createLog({ level: 'silent', secrets: [] }),
      },
    });
    /** What is stored is tried again. */
    const again = async () => {
      await outbox.round();
      await runs.idle();
    };
    return Object.assign(welcome, { again });
  };
  return { sent, notices, discord, start, running: Array.from({ length: processes }, start) };
}

describe('the welcome', () => {
  test('is sent once, by one of the processes that see the guild at the same moment', async () => {
    const { running, sent } = startProcesses(3);
    await Promise.all(running.map((welcome) => welcome(guild)));
    await Promise.all(running.map((welcome) => welcome(guild)));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      route: '/channels/70/messages',
      body: {
        content: expect.stringMatching(/^Hallo, ich zeige/),
        components: [{ components: [{ custom_id: '1:setup:form:', label: 'Einrichten' }] }],
        allowed_mentions: { parse: [] },
        enforce_nonce: true,
      },
    });
  });

  test('is not for a guild that has known the bot for an hour', async () => {
    const { running, sent, notices } = startProcesses(1);
    await running[0]?.({ ...guild, joinedAt: NOW - HOUR - 1 });
    expect([sent, notices]).toEqual([[], []]);
  });

  test('goes to the owner where the bot may not write, without a ping in any channel', async () => {
    const { running, sent, notices } = startProcesses(1);
    await running[0]?.(silent);
    expect(sent).toEqual([]);
    const key = `7 ${NOW - 1000}`;
    expect(notices).toEqual([
      {
        kind: 'welcome-notice',
        key,
        to: { kind: 'direct', personId: '1' },
        content: expect.stringContaining('`/einrichten`'),
      },
    ]);
  });

  test("makes no link of a server's name in the bot's own message", async () => {
    const { running, notices } = startProcesses(1);
    await running[0]?.({ ...silent, name: '[Free gift](https://evil.example) <t:0>' });
    const [notice] = notices;
    expect(strayMarkup({ description: z.object({ content: z.string() }).parse(notice).content })).toEqual([]);
    expect(JSON.stringify(notice)).toContain('Free gift');
  });

  test('that Discord did not take is tried again, by another process too', async () => {
    const { running, start, sent, discord } = startProcesses(1);
    discord.takes = false;
    await running[0]?.(guild);
    discord.takes = true;
    await start().again();
    await running[0]?.(guild);
    expect(sent).toHaveLength(1);
  });
});
