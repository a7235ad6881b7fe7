import { ChannelType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import type { Guild } from '../../../src/discord/gateway/guild.ts';
import { createWelcome } from '../../../src/discord/send/welcome.ts';
import { bot, NOON, time } from '../../support/bot-in-memory.ts';
import { strayMarkup } from '../../support/markup.ts';

const HOUR = 3_600_000;
const guild: Guild = {
  ...{ id: '7', name: 'The paddock', ownerId: '1', locale: 'de', joinedAt: NOON - 1000 },
  ...{ systemChannelId: '70', roles: new Map(), mayWriteIn: () => true },
  channels: new Map([['70', { type: ChannelType.GuildText }]]),
};
/** Where the bot may not write in the channel in which Discord announces newcomers. */
const silent: Guild = { ...guild, mayWriteIn: () => false };

/** The welcome of some processes with one store. */
function startProcesses(count: number) {
  const all = bot();
  const welcomeOf = ({ outbox, core: { translatorFor }, runtime: { clock, log } }: typeof all) =>
    createWelcome({ outbox, translatorFor, now: clock.now, log });
  const processes = [all, ...Array.from({ length: count - 1 }, all.again)];
  const running = processes.map(welcomeOf);
  const welcomeIn = (of: Guild) => time.until(Promise.all(running.map((welcome) => welcome(of))));
  return { ...all, welcomeIn };
}

describe('the welcome', () => {
  test('is sent once, by one of the processes that see the guild at the same moment', async () => {
    const { welcomeIn, messages } = startProcesses(3);
    await welcomeIn(guild);
    await welcomeIn(guild);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      place: '70',
      body: {
        content: expect.stringMatching(/^Hallo, ich zeige/),
        components: [{ components: [{ custom_id: '1:setup:form:', label: 'Einrichten' }] }],
        allowed_mentions: { parse: [] },
        enforce_nonce: true,
      },
    });
  });

  test('is not for a guild that has known the bot for an hour', async () => {
    const { welcomeIn, messages } = startProcesses(1);
    await welcomeIn({ ...guild, joinedAt: NOON - HOUR - 1 });
    expect(messages).toEqual([]);
  });

  test('goes to the owner where the bot may not write, without a ping in any channel', async () => {
    const { welcomeIn, messages, documents } = startProcesses(1);
    await welcomeIn(silent);
    expect(messages).toMatchObject([{ place: '1', content: expect.stringContaining('`/einrichten`') }]);
    const claims = [...(await documents.all('deliveries')).values()].join(' ');
    expect(claims).toContain(`"welcome 7 ${NOON - 1000}"`);
  });

  test("makes no link of a server's name in the bot's own message", async () => {
    const { welcomeIn, messages } = startProcesses(1);
    await welcomeIn({ ...silent, name: '[Free gift](https://evil.example) <t:0>' });
    const description = messages[0]?.content ?? '';
    expect(strayMarkup({ description })).toEqual([]);
    expect(description).toContain('Free gift');
  });

  test('that Discord did not take is tried again, by another process too', async () => {
    const { welcomeIn, again, messages, discord } = startProcesses(1);
    discord.message = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    await welcomeIn(guild);
    discord.message = async () => {};
    again().start();
    await time.pass(0);
    expect(messages).toHaveLength(1);
    await welcomeIn(guild);
    expect(messages).toHaveLength(1);
  });
});
