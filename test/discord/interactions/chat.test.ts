/**
 * Only the Discord side, over a local chat server: a real client, commands made for the tests, a service they
 * control.
 */

import { setTimeout as pause } from 'node:timers/promises';
import {
  type APIMessage,
  ChannelType,
  DiscordAPIError,
  type Interaction,
  Locale,
  MessageFlags,
} from 'discord.js';
import { test as base, describe, expect } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/base/clock.ts';
import { ServiceError, StartError, UserError } from '../../../src/base/errors.ts';
import { createLog, type Log } from '../../../src/base/log.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { RecentNames } from '../../../src/command-kit/names/recent-names.ts';
import { createViewers } from '../../../src/command-kit/viewer.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { type Connection, createConnection } from '../../../src/discord/connection.ts';
import type { AnswerReport } from '../../../src/discord/interactions/answer.ts';
import { createDispatch } from '../../../src/discord/interactions/dispatch.ts';
import type { Application } from '../../../src/discord/publish/application.ts';
import { describeCommands } from '../../../src/discord/publish/describe-commands.ts';
import { type Commands, loadCommands } from '../../../src/discord/publish/load.ts';
import { createPublisher } from '../../../src/discord/publish/publish.ts';
import { createBoardChannels } from '../../../src/discord/send/board-channels.ts';
import { createMakerNotices } from '../../../src/messages/boards/notify-maker.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import type { Visitor } from '../../../src/sandbox/chat/visitor/visitor.ts';
import type { Service } from '../../../src/service/client.ts';
import { contextParts } from '../../support/context.ts';
import { outboxTo, rolesNotice } from '../../support/messages.ts';
import { noNames } from '../../support/no-names.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { peopleInMemory } from '../../support/people.ts';
import { button, readable } from '../../support/readable.ts';
import { serviceOf } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();
const commands = await loadCommands(new URL('commands/', import.meta.url));
const vin = { name: 'vin', value: 'AB12C' };

/** What the service does when it is asked; a test may replace it. */
interface Control {
  behave: () => Promise<void>;
  asked: number;
}

interface Bot {
  readonly control: Control;
  readonly connection: Connection;
  /** Interactions go there from now on. */
  handleWith(handle: (interaction: Interaction) => void): void;
  readonly application: Application;
  readonly store: Context['store'];
  readonly dispatch: ReturnType<typeof createDispatch>;
  readonly log: Log;
  readonly lines: string[];
  readonly bugs: { readonly id: string; readonly command: string; readonly kind: string }[];
  readonly answered: AnswerReport[];
  /** Of interactions, as they were sent. */
  readonly payloads: { readonly path: string; readonly body: unknown }[];
}

function controlled(control: Control): Service {
  return serviceOf(
    async ({ asked }) => {
      control.asked += 1;
      await control.behave();
      return { vin: z.object({ vin: z.string() }).parse(asked).vin };
    },
    () => ({ asOf: 0, stale: null }),
  );
}

const recentNames: RecentNames = { ...noNames, vins: () => [{ vin: 'AB12C', type: 'XRG' }] };

async function startBot(
  chat: LocalChat,
  known: Commands = commands,
  { limit = 60_000, deferAfter = 100 } = {},
): Promise<Bot & AsyncDisposable> {
  const control: Control = { behave: async () => {}, asked: 0 };
  const lines: string[] = [];
  const bugs: Bot['bugs'][number][] = [];
  const answered: AnswerReport[] = [];
  const log = createLog({
    level: 'debug',
    secrets: [chat.token],
    stream: { write: (line) => lines.push(line) },
  });
  const payloads: Bot['payloads'] = [];
  chat.subscribe((event) => {
    if (event.type === 'payload' && /interactions|webhooks/.test(event.path)) payloads.push(event);
  });
  const service = controlled(control);
  const people = peopleInMemory();
  const dispatch = createDispatch({
    mayAnswer: async () => true,
    commands: known,
    context: contextParts({ service, recentNames, ...people }),
    notify: async () => {},
    onBug: (bug) => bugs.push(bug),
    onAnswered: (one) => answered.push(one),
    translatorFor,
    viewerOf: createViewers({
      translatorFor,
      service,
      store: people.store,
      failed: (error) => log.error({ err: error }),
    }),
    log,
    clock: systemClock,
    deferAfter,
    limit,
  });
  const connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
  let handle: (interaction: Interaction) => void = dispatch.handle;
  connection.onInteraction((interaction) => handle(interaction));
  await connection.connect([{ id: 0, count: 1 }]);
  const application = await connection.application();
  await createPublisher(
    connection.rest,
    null,
    describeCommands(commands, translatorFor, [], true),
    log,
  ).publish(application);
  return {
    control,
    connection,
    handleWith(next: typeof handle) {
      handle = next;
    },
    application,
    store: people.store,
    dispatch,
    log,
    lines,
    bugs,
    answered,
    payloads,
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

const test = base.extend<{
  chat: LocalChat;
  bot: Bot;
  channel: string;
  visitor: Visitor;
  neighbour: Visitor;
}>({
  chat: async ({ task: _ }, use) => {
    const chat = await startChatServer();
    await use(chat);
    await chat.close();
  },
  bot: async ({ chat }, use) => {
    await using bot = await startBot(chat);
    await use(bot);
  },
  channel: async ({ chat }, use) => {
    await use(chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '');
  },
  visitor: async ({ chat, bot: _ }, use) => {
    await use(chat.visitor(chat.people[0] ?? ''));
  },
  neighbour: async ({ chat }, use) => {
    await use(chat.visitor(chat.people[1] ?? ''));
  },
});

function shown(message: APIMessage | null): APIMessage {
  if (message === null) throw new Error('no message came of it');
  return message;
}

const isPrivate = (message: APIMessage | null): boolean =>
  ((shown(message).flags ?? 0) & MessageFlags.Ephemeral) !== 0;
const never = () => new Promise<void>(() => {});

/** Until the bot's acknowledgement of that type is over: 5 defers a reply, 6 an update. */
function acknowledgement(chat: LocalChat, type: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = chat.subscribe((event) => {
      if (event.type !== 'answered' || !event.request.path.includes('callback')) return;
      if (!z.object({ type: z.literal(type) }).safeParse(event.sent).success) return;
      stop();
      resolve();
    });
  });
}

/** A service that answers only once the bot has deferred. */
function slow(
  chat: LocalChat,
  control: Control,
  type: number,
  then: () => Promise<void> = async () => {},
): void {
  const deferred = acknowledgement(chat, type);
  control.behave = () => deferred.then(then);
}

const down = () => Promise.reject(new ServiceError('unavailable', { endpoint: 'car', sent: 'yes' }));

describe('a command', () => {
  test('that is quick is replied to at once', async ({ bot, visitor, channel }) => {
    const outcome = await visitor.invoke(channel, 'ask', [{ ...vin, value: 'ab12c' }]);
    expect(outcome.acknowledged).toBe('replied');
    expect(isPrivate(outcome.message)).toBe(false);
    expect(outcome.message?.content).toContain('AB12C');
    expect(bot.control.asked).toBe(1);
  });

  test('that shows no distances asks for no unit', async ({ bot, chat, visitor, channel }) => {
    await bot.store.guildSettings.change(chat.guildId, { ...defaultSettings, distances: 'driver' });
    await bot.store.links.set(visitor.id, { username: 'k3nny', since: 0 });
    await visitor.invoke(channel, 'whisper', []);
    expect(bot.control.asked).toBe(1);
  });

  test('that is slow is deferred in time, and its reply edited in', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    slow(chat, bot.control, 5);
    const outcome = await visitor.invoke(channel, 'ask', [vin]);
    expect(outcome.acknowledged).toBe('deferred');
    expect(outcome.message?.content).toContain('AB12C');
    expect(outcome.message?.components).toHaveLength(2);
  });

  test('that is private stays so, quick or slow', async ({ bot, chat, visitor, channel }) => {
    expect(isPrivate((await visitor.invoke(channel, 'whisper', [])).message)).toBe(true);
    slow(chat, bot.control, 5);
    const outcome = await visitor.invoke(channel, 'whisper', []);
    expect(outcome.acknowledged).toBe('deferred');
    expect(isPrivate(outcome.message)).toBe(true);
  });

  test("on a person gets that person's id, and answers privately with its file", async ({
    bot,
    chat,
    visitor,
    neighbour,
    channel,
  }) => {
    const entry = translatorFor('en')('profile.menu');
    for (const how of ['replied', 'deferred']) {
      if (how === 'deferred') slow(chat, bot.control, 5);
      const { acknowledged, message } = await visitor.invokeOn(channel, entry, neighbour.id);
      expect(acknowledged).toBe(how);
      expect(isPrivate(message)).toBe(true);
      expect(message?.content).toBe(`${visitor.id} whispers about ${neighbour.id}`);
      const [file] = shown(message).attachments;
      expect(file?.filename).toBe('car.txt');
      expect(await (await fetch(file?.url ?? '')).text()).toBe(`AAAAA für ${neighbour.id}`);
    }
  });

  test('on a person that fails says so to the one who asked', async ({
    bot,
    visitor,
    neighbour,
    channel,
  }) => {
    bot.control.behave = down;
    const entry = translatorFor('en')('profile.menu');
    const { message } = await visitor.invokeOn(channel, entry, neighbour.id);
    expect(isPrivate(message)).toBe(true);
    expect(message?.content).toMatch(/data service/);
  });

  test('that came a while ago is deferred at once: its wait counts from its arrival', async ({
    chat,
    channel,
  }) => {
    const deferAfter = 60_000;
    await using bot = await startBot(chat, commands, { deferAfter });
    bot.handleWith((interaction) => bot.dispatch.handle(interaction, performance.now() - deferAfter));
    slow(chat, bot.control, 5);
    const { acknowledged, message } = await chat.visitor(chat.people[0] ?? '').invoke(channel, 'ask', [vin]);
    expect(acknowledged).toBe('deferred');
    expect(message?.content).toContain('AB12C');
  });

  test('works in a direct conversation', async ({ chat, visitor }) => {
    const { message } = await visitor.invoke(chat.directChannel(visitor.id), 'ask', [vin]);
    const pressed = await visitor.press(shown(message).id, button(shown(message), 'Again'));
    expect(pressed.acknowledged).toBe('updated');
  });

  test('gets what was typed, checked, and null for what was left out', async ({ visitor, channel }) => {
    const without = await visitor.invoke(channel, 'ask', [vin]);
    expect(without.message?.content).not.toContain(',');
    const withNote = await visitor.invoke(channel, 'ask', [vin, { name: 'note', value: 'zz99z' }]);
    expect(withNote.message?.content).toMatch(/, ZZ99Z$/);
  });

  test("with bad input is refused privately, in the option's words, and spends nothing", async ({
    bot,
    visitor,
    channel,
  }) => {
    for (const [options, says] of [
      [[{ name: 'vin', value: 'ABC' }], /five letters or digits/],
      [[vin, { name: 'note', value: '!' }], /1 to 64/],
    ] as const) {
      const outcome = await visitor.invoke(channel, 'ask', options);
      expect(outcome.acknowledged).toBe('replied');
      expect(isPrivate(outcome.message)).toBe(true);
      expect(outcome.message?.content).toMatch(says);
    }
    expect(bot.control.asked).toBe(0);
  });

  test('that is known no longer says so privately', async ({ chat, channel }) => {
    await using _bot = await startBot(chat, new Map([...commands].filter(([name]) => name !== 'ask')));
    const outcome = await chat.visitor(chat.people[0] ?? '').invoke(channel, 'ask', [vin]);
    expect(isPrivate(outcome.message)).toBe(true);
    expect(outcome.message?.content).toMatch(/no longer/);
  });
});

describe('a failure', () => {
  test('of the service is shown in its words and privately, quick or after a wait', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    bot.control.behave = down;
    const quick = await visitor.invoke(channel, 'ask', [vin]);
    expect(isPrivate(quick.message)).toBe(true);
    expect(quick.message?.content).toMatch(/data service isn't answering/);
    slow(chat, bot.control, 5, down);
    const late = await visitor.invoke(channel, 'ask', [vin]);
    expect(late.acknowledged).toBe('deferred');
    const withoutId = (message: APIMessage | null) => message?.content.replace(/`[0-9a-f]{8}`$/, '');
    expect(withoutId(late.message)).toBe(withoutId(quick.message));
    expect(isPrivate(late.message)).toBe(true);
    // What was announced to everyone is gone.
    expect(visitor.messages(channel)).toHaveLength(2);
  });

  test('that the person can fix is shown unchanged, and not logged', async ({ bot, visitor, channel }) => {
    bot.control.behave = () => Promise.reject(new UserError('Not like that.'));
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    expect(message?.content).toBe('Not like that.');
    expect(isPrivate(message)).toBe(true);
    expect(bot.lines.join('')).not.toContain('Not like that');
  });

  test('that is a bug is logged under an id, which the person sees', async ({ bot, visitor, channel }) => {
    bot.control.behave = () => Promise.reject(new TypeError('inner secrets'));
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    const id = /`([0-9a-f]{8})`/.exec(message?.content ?? '')?.[1] ?? 'none';
    expect(isPrivate(message)).toBe(true);
    expect(message?.content).not.toContain('inner secrets');
    expect(bot.lines.filter((line) => line.includes(id) && line.includes('inner secrets'))).toHaveLength(1);
    expect(bot.bugs).toEqual([{ id, command: 'ask', kind: 'TypeError' }]);
  });

  test('of a reply that Discord refuses is a bug too, and the person sees it', async ({
    bot,
    visitor,
    channel,
  }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    const pressed = await visitor.press(shown(message).id, button(shown(message), 'Huge'));
    expect(pressed.message?.content).toMatch(/went wrong/);
    expect(isPrivate(pressed.message)).toBe(true);
    expect(bot.lines.join('')).toContain('50035');
    expect(bot.bugs).toMatchObject([{ command: 'ask', kind: 'DiscordAPIError[50035]' }]);
  });

  test('to answer for a long time ends in words', async ({ chat, channel }) => {
    await using bot = await startBot(chat, commands, { limit: 300 });
    bot.control.behave = never;
    const outcome = await chat.visitor(chat.people[0] ?? '').invoke(channel, 'ask', [vin]);
    expect(outcome.acknowledged).toBe('deferred');
    expect(outcome.message?.content).toMatch(/I took too long/);
    const id = /`([0-9a-f]{8})`$/.exec(outcome.message?.content ?? '')?.[1] ?? 'none';
    expect(bot.lines.filter((line) => line.includes(id) && line.includes('timed out'))).toHaveLength(1);
    await expect.poll(() => bot.answered).toMatchObject([{ outcome: 'failed' }]);
  });

  test('to be there in time ends in a log line, and the next one is answered', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    chat.setFault('late-interactions', true, 1);
    const late = await visitor.invoke(channel, 'ask', [vin]);
    expect(late.acknowledged).toBe('failed');
    await expect.poll(() => bot.lines.join('')).toContain('10062');
    expect((await visitor.invoke(channel, 'ask', [vin])).acknowledged).toBe('replied');
  });
});

describe('an interaction', () => {
  /** The lines at info about interactions, without their times. */
  const linesOf = ({ lines }: Bot) =>
    lines
      .map((line) => z.looseObject({ level: z.string(), msg: z.string() }).parse(JSON.parse(line)))
      .filter(({ msg }) => msg === 'interaction');

  test.each([
    ['that is answered', async () => {}, 'answered'],
    ['that the person can correct', () => Promise.reject(new UserError('No.')), 'declined'],
    ['that the data service does not serve', down, 'unavailable'],
    ['that meets a bug', () => Promise.reject(new TypeError('x')), 'failed'],
  ] as const)('%s has one line, with its outcome and time', async (_which, behave, outcome) => {
    const chat = await startChatServer();
    await using bot = await startBot(chat);
    bot.control.behave = behave;
    const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
    const { message } = await chat.visitor(chat.people[0] ?? '').invoke(channel, 'ask', [vin]);
    await expect.poll(() => linesOf(bot)).toHaveLength(1);
    expect(linesOf(bot)).toEqual([
      {
        ...{ level: 'info', command: 'ask', outcome, msg: 'interaction' },
        id: expect.stringMatching(/^[0-9a-f]{8}$/),
        time: expect.any(String),
        milliseconds: expect.any(Number),
      },
    ]);
    const isShown = message?.content.includes(String(linesOf(bot)[0]?.['id']));
    expect(isShown).toBe(outcome === 'unavailable' || outcome === 'failed');
    expect(bot.answered).toEqual([{ command: 'ask', outcome, acknowledgedAfter: expect.any(Number) }]);
    await chat.close();
  });

  test('that Discord does not take has failed, and was never acknowledged', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    chat.setFault('rest-500', true);
    await visitor.invoke(channel, 'ask', [vin]);
    await expect
      .poll(() => bot.answered)
      .toEqual([{ command: 'ask', outcome: 'failed', acknowledgedAfter: null }]);
    expect(linesOf(bot)).toMatchObject([{ outcome: 'failed' }]);
  });

  test('that was deferred was acknowledged long before it was answered', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    slow(chat, bot.control, 5, () => pause(300));
    await visitor.invoke(channel, 'ask', [vin]);
    await expect.poll(() => bot.answered).toHaveLength(1);
    const [line] = linesOf(bot);
    expect(Number(line?.['milliseconds'])).toBeGreaterThan((bot.answered[0]?.acknowledgedAfter ?? 0) + 100);
  });

  test('of a button says which; one that nobody knows is not repeated', async ({ bot, visitor, channel }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    for (const id of ['foreign', '1:gone:again:AB12C', '1:ask:again:AB12C'])
      await visitor.press(shown(message).id, id);
    await expect.poll(() => linesOf(bot)).toHaveLength(4);
    expect(linesOf(bot).map(({ command, action }) => [command, action])).toEqual([
      ['ask', undefined],
      ['unknown', undefined],
      ['unknown', undefined],
      ['ask', 'again'],
    ]);
    expect(bot.answered.map(({ command }) => command)).toEqual(['ask', 'unknown', 'unknown', 'ask']);
  });
});

test.for([
  ['rest-500', /"status":500/],
  ['rest-lost', /UND_ERR|ECONNRESET|other side closed/],
] as const)(
  'chat that fails (%s) is logged, not as a bug, and the next one is answered',
  async ([fault, says], { bot, chat, visitor, channel }) => {
    chat.setFault(fault, true);
    expect((await visitor.invoke(channel, 'ask', [vin])).acknowledged).toBe('failed');
    await expect.poll(() => bot.lines.join('')).toMatch(/Discord did not confirm the reply/);
    expect(bot.lines.join('')).toMatch(says);
    expect(bot.lines.join('')).not.toContain('"msg":"bug"');
    chat.setFault(fault, false);
    expect((await visitor.invoke(channel, 'ask', [vin])).acknowledged).toBe('replied');
  },
);

describe('a connection that breaks', () => {
  test.each([
    ['before the answer has arrived', 'rest-lost'],
    ['after it has arrived', 'answer-lost'],
    ['not at all, but with an error after it has arrived,', 'answer-500'],
  ] as const)('%s costs nobody the answer, quick or deferred', async (_when, fault) => {
    const chat = await startChatServer();
    await using bot = await startBot(chat);
    const visitor = chat.visitor(chat.people[0] ?? '');
    const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
    for (const makeSlow of [false, true]) {
      if (makeSlow) slow(chat, bot.control, 5);
      chat.setFault(fault, true, 1);
      const { message } = await visitor.invoke(channel, 'ask', [vin]);
      await expect
        .poll(() => visitor.messages(channel).find(({ id }) => id === message?.id)?.content)
        .toContain('AB12C');
    }
    // The edit that follows a deferral, too.
    slow(chat, bot.control, 5, async () => chat.setFault(fault, true, 1));
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    expect(message?.content).toContain('AB12C');
    expect(bot.lines.join('')).not.toMatch(/did not (?:take|confirm) the reply|a bug/);
    await chat.close();
  });

  test.for(['answer-lost', 'answer-500'])(
    'after a deferral was deleted (%s) does not cost the person the error',
    async (fault, { bot, chat, visitor, channel }) => {
      slow(chat, bot.control, 5, () => {
        chat.setFault(fault, true, 1);
        return down();
      });
      await visitor.invoke(channel, 'ask', [vin]);
      await expect.poll(() => visitor.messages(channel).map(({ content }) => content)).toHaveLength(1);
      expect(visitor.messages(channel)[0]?.content).toMatch(/isn't answering/);
    },
  );

  test.for(['post-500-after-create', 'post-lost'])(
    'after a follow-up has arrived (%s) does not double it, and the person is told',
    async (fault, { bot, chat, visitor, channel }) => {
      chat.setFault(fault, true, 1);
      slow(chat, bot.control, 5, down);
      await visitor.invoke(channel, 'ask', [vin]);
      await expect
        .poll(() => visitor.messages(channel).map(({ content }) => content))
        .toEqual([
          expect.stringMatching(/isn't answering/),
          "Discord didn't confirm my answer.\nIf you don't see it, ask again.",
        ]);
      // The person sees the message before the bot has Discord's answer.
      await expect.poll(() => bot.answered).toMatchObject([{ outcome: 'failed' }]);
      expect(bot.lines.join('')).toContain('Discord did not confirm the reply');
    },
  );

  test('before suggestions have arrived costs nobody the suggestions', async ({
    chat,
    bot: _,
    visitor,
    channel,
  }) => {
    chat.setFault('rest-500', true, 1);
    expect(await visitor.complete(channel, 'ask', [{ ...vin, value: 'AB' }], 'vin')).toHaveLength(2);
  });
});

describe('a button', () => {
  test("of one's own message changes it in place, without parts of the old state", async ({
    visitor,
    channel,
  }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    const pressed = await visitor.press(shown(message).id, button(shown(message), 'Again'));
    expect(pressed.acknowledged).toBe('updated');
    expect(pressed.message).toMatchObject({ id: message?.id, content: '', components: [] });
    expect(readable(shown(pressed.message))).toBe('again AB12C');
  });

  test('whose answer is slow is acknowledged in time and changes the message later', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    slow(chat, bot.control, 6);
    const pressed = await visitor.press(shown(message).id, button(shown(message), 'Again'));
    expect(pressed.acknowledged).toBe('updated');
    expect(pressed.message?.id).toBe(message?.id);
    expect(readable(shown(pressed.message))).toBe('again AB12C');
  });

  test("of another person's message answers privately, quick or slow", async ({
    bot,
    chat,
    visitor,
    neighbour,
    channel,
  }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    for (const makeSlow of [false, true]) {
      if (makeSlow) slow(chat, bot.control, 5);
      const pressed = await neighbour.press(shown(message).id, button(shown(message), 'Again'));
      expect(isPrivate(pressed.message)).toBe(true);
      expect(readable(shown(pressed.message))).toBe('again AB12C');
    }
    expect(visitor.messages(channel).find(({ id }) => id === message?.id)).toMatchObject({
      content: message?.content,
    });
  });

  test('whose answer fails leaves the message unchanged; only the person sees the error', async ({
    bot,
    chat,
    visitor,
    channel,
  }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    for (const makeSlow of [false, true]) {
      if (makeSlow) slow(chat, bot.control, 6, down);
      else bot.control.behave = down;
      await visitor.press(shown(message).id, button(shown(message), 'Again'));
      await expect
        .poll(
          () =>
            visitor
              .messages(channel)
              .filter((each) => isPrivate(each) && /isn't answering/.test(each.content)).length,
        )
        .toBe(makeSlow ? 2 : 1);
    }
    expect(visitor.messages(channel).find(({ id }) => id === message?.id)).toMatchObject({
      content: message?.content,
    });
  });

  test('that this version did not write says so privately', async ({ bot, visitor, channel }) => {
    const { message } = await visitor.invoke(channel, 'ask', [vin]);
    for (const id of ['foreign', '0:ask:again:AB12C', '1:gone:again:AB12C', '1:whisper:again:AB12C']) {
      const pressed = await visitor.press(shown(message).id, id);
      expect(isPrivate(pressed.message)).toBe(true);
      expect(pressed.message?.content).toMatch(/older version/);
    }
    expect(bot.control.asked).toBe(1);
  });
});

describe('suggestions', () => {
  test('hold what was seen first, so that Enter sends it, then the typed text', async ({
    visitor,
    channel,
  }) => {
    expect(await visitor.complete(channel, 'ask', [{ name: 'vin', value: 'ab' }], 'vin')).toEqual([
      expect.objectContaining({ name: 'Car AB12C', value: 'AB12C' }),
      expect.objectContaining({ name: 'ab', value: 'ab' }),
    ]);
  });

  test('are the typed text alone where a command fails to make any', async ({ bot, visitor, channel }) => {
    const offered = await visitor.complete(channel, 'ask', [{ name: 'vin', value: 'throw' }], 'vin');
    expect(offered).toEqual([expect.objectContaining({ value: 'throw' })]);
    expect(bot.lines.join('')).toContain('no suggestions today');
  });
});

/** A way on which the bot writes a message, from the method and route of a request; null where it writes none. */
function wayOut(method: string, path: string, body: unknown): string | null {
  const callback = z.object({ type: z.enum({ reply: 4, update: 7 }), data: z.unknown() }).safeParse(body);
  if (path.includes('/callback')) return callback.success ? `callback ${callback.data.type}` : null;
  const [, route] = /\/(webhooks|channels)\/.*/.exec(path) ?? [];
  const writes = (method === 'POST' || method === 'PATCH') && !path.endsWith('/users/@me/channels');
  return route !== undefined && writes ? `${method} ${route}` : null;
}

test('nothing that is sent can ping anyone, whichever way it goes out', async ({
  bot,
  chat,
  visitor,
  neighbour,
  channel,
}) => {
  const written: { readonly way: string; readonly body: unknown }[] = [];
  chat.subscribe((event) => {
    if (event.type !== 'payload') return;
    const way = wayOut(event.method, event.path, event.body);
    if (way !== null) written.push({ way, body: event.body });
  });

  const { message } = await visitor.invoke(channel, 'ask', [vin]);
  expect(message).toMatchObject({ mention_everyone: false, mentions: [] });
  await visitor.press(shown(message).id, button(shown(message), 'Again'));
  slow(chat, bot.control, 5);
  await visitor.invoke(channel, 'ask', [vin]);
  slow(chat, bot.control, 5, down);
  await neighbour.invoke(channel, 'ask', [vin]);

  const { rest } = bot.connection;
  const boards = createBoardChannels({ guilds: bot.connection, token: chat.token, apiUrl: chat.apiUrl });
  const everyone = { embeds: [{ title: '@everyone' }], components: [] } as const;
  const sent = await boards.send(channel, everyone, '1');
  if (sent.kind !== 'sent') throw new Error(sent.kind);
  expect(await boards.edit({ channelId: channel, messageId: sent.messageId }, everyone)).toEqual({
    kind: 'ok',
  });
  const { outbox } = outboxTo(rest);
  expect(await createMakerNotices(outbox)(visitor.id, '@everyone', '2')).toEqual({ kind: 'ok' });
  const notice = { ...rolesNotice(visitor.id), content: '@everyone' };
  expect(await outbox.send(notice)).toBe('sent');

  const ways = Map.groupBy(written, ({ way }) => way);
  expect([...ways].map(([way, bodies]) => `${way} ×${bodies.length}`).toSorted()).toEqual([
    'PATCH channels ×1',
    'PATCH webhooks ×1',
    'POST channels ×3',
    'POST webhooks ×1',
    'callback 4 ×1',
    'callback 7 ×1',
  ]);
  for (const { way, body } of written) {
    const content = way.startsWith('callback') ? z.object({ data: z.unknown() }).parse(body).data : body;
    expect(content, way).toMatchObject({ allowed_mentions: { parse: [] } });
  }
});

describe('on the way down', () => {
  test('what runs is finished, and nothing new is begun', async ({ bot, chat, visitor, channel }) => {
    const ending = Promise.withResolvers<void>();
    bot.control.behave = () => ending.promise;
    const deferred = acknowledgement(chat, 5);
    const running = visitor.invoke(channel, 'ask', [vin]);
    await deferred;
    const drained = bot.dispatch.drain(10_000);
    const refused = await visitor.invoke(channel, 'ask', [vin]);
    expect(refused.message?.content).toMatch(/restarting/);
    expect(bot.control.asked).toBe(1);
    ending.resolve();
    await drained;
    expect((await running).message?.content).toContain('AB12C');
  });

  test('a command that takes too long is answered with “try again”', async ({ bot, visitor, channel }) => {
    bot.control.behave = never;
    const running = visitor.invoke(channel, 'ask', [vin]);
    await expect.poll(() => bot.control.asked).toBe(1);
    await bot.dispatch.drain(150);
    expect((await running).message?.content).toMatch(/restarting/);
  });
});

describe('a command with a permission', () => {
  test('gets options of every kind, by its subcommand', async ({ bot: _, channel, visitor, neighbour }) => {
    const options = [
      { name: 'channel', value: channel },
      { name: 'who', value: neighbour.id },
      { name: 'how', value: 'badly' },
      { name: 'now', value: true },
    ];
    const full = await visitor.invoke(channel, 'tidy channel', options);
    expect(JSON.parse(full.message?.content ?? '')).toEqual({
      channel,
      who: neighbour.id,
      how: 'badly',
      now: true,
    });
    const short = await visitor.invoke(channel, 'tidy channel', options.slice(0, 1));
    expect(JSON.parse(short.message?.content ?? '')).toEqual({ channel, who: null, how: null, now: null });
    const retryAction = await visitor.press(shown(full.message).id, button(shown(full.message), 'Again'));
    expect(retryAction.message?.content).toBe(`again ${channel}`);
  });

  test('keeps its buttons from those who lack it, who see them all the same', async ({
    bot: _,
    channel,
    visitor,
    neighbour,
  }) => {
    // A message that everyone in the channel sees, as a guild may have wanted it.
    const custom_id = '1:tidy:again:1';
    const components = [{ type: 1, components: [{ type: 2, style: 2, label: 'Again', custom_id }] }];
    const { connection } = _;
    const posted = z
      .object({ id: z.string() })
      .parse(
        await connection.rest.post(`/channels/${channel}/messages`, { body: { components, content: 'x' } }),
      );
    const refused = await neighbour.press(posted.id, custom_id);
    expect(isPrivate(refused.message)).toBe(true);
    expect(refused.message?.content).toBe(translatorFor('pl')('discord.notAllowed'));
    expect((await visitor.press(posted.id, custom_id)).message?.content).toBe('again 1');
  });

  test('is hidden from those who lack it, and from direct conversations', async ({
    bot: _,
    visitor,
    neighbour,
  }) => {
    const names = (person: Visitor) => person.commands().map(({ name }) => name);
    expect(names(visitor)).toContain('tidy');
    expect(names(neighbour)).not.toContain('tidy');
    expect(visitor.commands().find(({ name }) => name === 'tidy')?.contexts).toEqual([0]);
    expect(visitor.commands().find(({ name }) => name === 'ask')?.contexts).toEqual([0, 1, 2]);
  });
});

describe('the commands', () => {
  const payloads = describeCommands(commands, translatorFor, [], true);
  const [first, second] = payloads;
  if (first === undefined || second === undefined) throw new Error('two commands are needed');

  test('are not published again as long as they are the same, in whatever order', async ({ bot, chat }) => {
    const puts = () => chat.requests.filter(({ method }) => method === 'PUT').length;
    const { application } = bot;
    const { rest } = bot.connection;
    expect(puts()).toBe(1);
    expect(await createPublisher(rest, null, payloads.toReversed(), bot.log).publish(application)).toBe(
      'unchanged',
    );
    expect(puts()).toBe(1);
  });

  test('are known by the ids that Discord gives them, new ones and old ones', async ({ bot, chat }) => {
    const { application, log } = bot;
    const { rest } = bot.connection;
    const idOf = (name: string) =>
      chat
        .visitor(chat.people[0] ?? '')
        .commands()
        .find((command) => command.type === 1 && command.name === name)?.id;
    const known = createPublisher(rest, null, payloads, log);
    expect(known.idOf('ask')).toBeNull();
    expect(await known.publish(application)).toBe('unchanged');
    expect(known.idOf('ask')).toBe(idOf('ask'));
    expect(known.idOf('nobody')).toBeNull();
    const fewer = createPublisher(rest, null, [first], log);
    expect(await fewer.publish(application)).toBe('published');
    expect(fewer.idOf(first.name)).toBe(idOf(first.name));
    expect(fewer.idOf(second.name)).toBeNull();
  });

  test('go to one guild alone where the settings name it', async ({ bot, chat }) => {
    const { application } = bot;
    const { rest } = bot.connection;
    const local = describeCommands(commands, translatorFor, [], false);
    expect(await createPublisher(rest, chat.guildId, local, bot.log).publish(application)).toBe('published');
    expect(await createPublisher(rest, chat.guildId, local, bot.log).publish(application)).toBe('unchanged');
    expect(chat.requests.findLast(({ method }) => method === 'PUT')?.path).toContain(
      `/guilds/${chat.guildId}/`,
    );
  });

  const options = ('options' in first ? (first.options ?? []) : []).map((option) => ({
    ...option,
    required: false,
  }));
  test.for([
    ['fewer', [first]],
    ['described otherwise', [first, { ...second, description: 'other words' }]],
    ['with other options', [{ ...first, options }, second]],
    ['with options in another order', [{ ...first, options: options.toReversed() }, second]],
    ['in another language, too', describeCommands(commands, translatorFor, [Locale.German], true)],
  ] as const)(
    'that are %s than those there are published, once',
    async ([, changed], { bot: { application, connection, log } }) => {
      const publisher = createPublisher(connection.rest, null, changed, log);
      expect(await publisher.publish(application)).toBe('published');
      expect(await publisher.publish(application)).toBe('unchanged');
    },
  );

  const changed = [first, { ...second, description: 'other words' }];

  test.each([
    ['publish-429', /"seconds":8640[01]/],
    ['publish-500', /500/],
  ] as const)(
    'that Discord does not take now (%s) stay as they are, at once, which is logged',
    async (fault, says) => {
      const chat = await startChatServer();
      await using bot = await startBot(chat);
      chat.setFault(fault, true);
      const publisher = createPublisher(bot.connection.rest, null, changed, bot.log);
      expect(await publisher.publish(bot.application)).toBe('later');
      expect(bot.lines.join('')).toMatch(says);
      chat.setFault(fault, false);
      await chat.close();
    },
  );

  test('that Discord refuses keep no bot from running, be there older ones or none', async ({ bot }) => {
    const refusal = new DiscordAPIError({ code: 50035, message: 'no' }, 50035, 400, 'PUT', '', {});
    const publishTo = (there: readonly unknown[]) =>
      createPublisher(
        { get: async () => there, put: () => Promise.reject(refusal) },
        null,
        payloads,
        bot.log,
      ).publish({ id: '1', integration_types_config: null });
    expect(await publishTo([{ ...first, description: 'an older one' }])).toBe('later');
    expect(await publishTo([])).toBe('later');
  });

  test('of a guild that the bot is not in are refused with what to do', async ({ bot }) => {
    const failure = await createPublisher(bot.connection.rest, '100000000000000001', [], bot.log)
      .publish(bot.application)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toMatch(/DISCORD_GUILD_ID/);
  });
});

describe('the connection', () => {
  test('with a wrong token is refused by the name of the setting', async ({ chat }) => {
    const log = createLog({ level: 'silent', secrets: [] });
    const connection = createConnection({ token: `${chat.token}x`, apiUrl: chat.apiUrl, log });
    const failure = await connection.connect([{ id: 0, count: 1 }]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toMatch(/DISCORD_TOKEN/);
    expect(String(failure)).not.toContain(chat.token);
    await connection.close();
  });

  test.for([
    [4014, 78, /intents/],
    [4004, 78, /DISCORD_TOKEN was rejected/],
    [4010, 78, /SHARDS/],
    [4011, 75, /SHARDS/],
  ] as const)(
    'that Discord closes for good (%i) ends with %i in words',
    async ([code, exitCode, says], { bot, chat }) => {
      chat.disconnect(code);
      expect(await bot.connection.lost).toMatchObject({ exitCode, message: expect.stringMatching(says) });
    },
  );

  test('that is lost is logged once, and once when it is back', async ({ bot, chat }) => {
    chat.setFault('gateway-drop', true);
    await expect.poll(() => bot.lines.join('')).toContain('reconnected to Discord');
    expect(bot.lines.filter((line) => line.includes('connection to Discord lost'))).toHaveLength(1);
  });

  test.for(['gateway-drop', 'gateway-reconnect', 'gateway-invalid'])(
    'comes back after %s',
    async (fault, { chat, visitor, channel }) => {
      chat.setFault(fault, true);
      await chat.ready();
      expect((await visitor.invoke(channel, 'ask', [vin])).acknowledged).toBe('replied');
    },
  );
});
