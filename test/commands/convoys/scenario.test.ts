/** A convoy from its form to its result: the real bot over the sandbox, killed in between. */
import { type APIMessage, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect, vi } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { createBotWithin } from '../../support/bot-within.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { readable } from '../../support/readable.ts';
import {
  type Answered,
  boardChannel,
  evening,
  type Guest,
  guest,
  postedIn,
  questions,
  test,
} from '../../support/sandbox.ts';

const eventually = (work: () => unknown) => vi.waitFor(work, { timeout: 40 * SECOND, interval: 100 });

/** Discord's own way to write a moment, which everybody may type. */
const typed = (at: number): string => `<t:${Math.floor(at / SECOND)}:F>`;

/** Plans a convoy for that channel, with what stands behind *More…*. Resolves with the preview. */
async function plan(
  maker: Guest,
  { channel, ...typed }: Readonly<Record<'title' | 'when' | 'server' | 'channel', string>>,
  more: Parameters<Guest['fill']>[2] = {},
): Promise<Answered> {
  const { message } = await maker.ask('convoy create', typed);
  const filled = await maker.fill(message, 'More…', more);
  return maker.choose(filled.message, channel);
}

/** Without what the person reads alone. */
const cards = (chat: Parameters<typeof postedIn>[0], channel: string) =>
  postedIn(chat, channel).filter(({ flags = 0 }) => (flags & MessageFlags.Ephemeral) === 0);

/** A chat server, and its clock and the bot's, which are set on together. */
async function withClocks() {
  let ahead = 0;
  const later = () => ahead;
  const chat = await startChatServer({ now: () => Date.now() + ahead });
  /** The bot takes the time from most of the last five answers, and those on their way may still name the time before. */
  async function setOn(ms: number, person: Guest): Promise<void> {
    ahead = ms;
    for (let answers = 0; answers < 3; answers += 1) await person.ask('convoy list', {});
  }
  return { chat, later, setOn, [Symbol.asyncDispose]: () => chat.close() };
}

function only(messages: readonly APIMessage[]): APIMessage {
  expect(messages).toHaveLength(1);
  const [message] = messages;
  if (message === undefined) throw new Error('there is no message');
  return message;
}

// Beside each other: each of them waits for the pace of its card.
test.concurrent('survives thirty sign-ups at once, kills and restarts, announced once', async ({
  chat,
  dataService,
  bot,
}) => {
  const [maker, ...others] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined) throw new Error('the sandbox has too few people');
  const channel = boardChannel(chat);
  const card = () => only(cards(chat, channel));
  const at = Date.now() + 3 * 60 * MINUTE;
  const title = '**Night** run @everyone <@1> [x](https://x.y)';
  const planned = await plan(maker, { title, when: typed(at), server: 'two', channel }, { places: '10' });
  expect(planned.private).toBe(true);
  expect(planned.text).toContain(`<t:${Math.floor(at / SECOND)}:F>`);
  expect(cards(chat, channel)).toHaveLength(0);

  expect((await maker.press(planned.message, 'Announce')).text).toContain('✅ Announced');
  const first = card();
  expect(readable(first)).toContain('1 going');
  expect(first.mentions).toHaveLength(0);
  expect(first.mention_everyone).toBe(false);

  const since = chat.requests.length;
  const began = Date.now();
  async function decide(person: Guest): Promise<void> {
    // The chat server takes no answer after Discord's three seconds, which a crowded machine misses: people press again.
    for (const label of ["I'm in", 'Maybe', "I'm in"])
      await eventually(async () => expect((await person.press(first, label)).private).toBe(true));
  }
  await Promise.all([maker, ...others].map(decide));
  const count = others.length + 1;
  await eventually(() =>
    expect(readable(card())).toContain(`**10 going** · ${count - 10} on the waiting list`),
  );
  const edits = chat.requests
    .slice(since)
    .filter(({ method, path }) => method === 'PATCH' && path.includes(first.id));
  if (Date.now() - began < 6 * SECOND) expect(edits.length).toBeLessThanOrEqual(3);

  // Reads English, as the maker does.
  const [, , second] = others;
  expect((await maker.press(card(), "Can't come")).text).toContain('not going');
  // A person who pressed twice on a crowded machine is further back.
  expect((await second?.press(card(), "I'm in"))?.text).toMatch(/You're in|on the waiting list/);
  await eventually(() =>
    expect(readable(card())).toContain(`**10 going** · ${count - 11} on the waiting list`),
  );

  await bot.crash();
  await bot.start();
  await eventually(() => expect(card().id).toBe(first.id));
  expect((await maker.press(card(), "I'm in")).text).toContain(`number ${count - 10} on the waiting list`);
  chat.moderator.deleteMessage(first.id);
  await eventually(() => expect(card().id).not.toBe(first.id));
  await eventually(() =>
    expect(readable(card())).toContain(`**10 going** · ${count - 10} on the waiting list`),
  );

  const asked = questions(dataService).length;
  expect((await maker.ask('convoy list', {})).text).toContain('10 going');
  expect(questions(dataService)).toHaveLength(asked);
  expect((await second?.ask('convoy cancel', {}))?.text).toContain("You can't edit any convoy here");
  const asking = await maker.ask('convoy cancel', { convoy: '**night' });
  expect((await maker.press(asking.message, 'Cancel')).text).toContain('is cancelled');
  await eventually(() => expect(readable(card())).toContain('was cancelled'));
  expect((await second?.press(card(), "I'm in").catch(() => null)) ?? null).toBeNull();
}, 120_000);

test('a convoy on Friday takes two steps, and its change with two open three', async ({ chat, bot: _ }) => {
  // Both read English.
  const [maker, , , other] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined || other === undefined) throw new Error('the sandbox has too few people');
  const [when = ''] = await maker.suggestions('convoy create', 'when', 'fri 8 pm');
  for (const title of ['Drag', 'Cruise']) {
    const preview = await maker.ask('convoy create', { title, when, server: 'two' });
    expect((await maker.press(preview.message, 'Announce')).text).toContain('✅ Announced');
  }
  const card = (title: string) =>
    only(cards(chat, maker.channelId).filter((message) => readable(message).includes(title)));
  const managed = await maker.press(card('Drag'), 'Manage');
  expect(managed.private).toBe(true);
  const changed = await maker.fill(managed.message, 'Edit', { title: 'Drift' });
  expect((await maker.press(changed.message, 'Save')).text).toContain('Saved');
  await eventually(() => expect(readable(card('Drift'))).toContain('1 going'));
  expect(readable(card('Cruise'))).toContain('1 going');
  expect((await other.press(card('Drift'), 'Manage')).text).toContain(`Only <@${maker.id}>`);
});

test.concurrent('a driver whom the operator hides stands on no card of a convoy', async ({
  chat,
  dataService,
}) => {
  const [hidden = '', shown = ''] = dataService.drivers;
  await using bot = await createBotWithin(chat, dataService, { HIDDEN_DRIVERS: hidden });
  await bot.start();
  const [maker, other] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined || other === undefined) throw new Error('the sandbox has too few people');
  await maker.ask('link', { player: hidden });
  await other.ask('link', { player: shown });
  const channel = boardChannel(chat);
  const options = { title: 'Run', when: typed(Date.now() + 3 * 60 * MINUTE), server: 'two', channel };
  await maker.press((await plan(maker, options)).message, 'Announce');
  const card = () => only(cards(chat, channel));
  for (const person of [maker, other]) await eventually(() => person.press(card(), "I'm in"));
  await eventually(() => expect(readable(card())).toContain('2 going'));
  // By account alone, and the other one by driver.
  expect(readable(card())).toContain(`<@${maker.id}>`);
  expect(readable(card())).not.toContain(`<@${other.id}>`);
});

test.concurrent('it reminds once, shows who is there while it runs, and tells once who was', async () => {
  await using dataService = Object.assign(await startDataService({ now: evening(), namedLiveFiles: true }), {
    [Symbol.asyncDispose]: async () => {},
  });
  await using clocks = await withClocks();
  const { chat, later, setOn } = clocks;
  await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: 300, later });
  await bot.start();
  const [maker, other] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined || other === undefined) throw new Error('the sandbox has too few people');
  const channel = boardChannel(chat);
  const card = () => only(cards(chat, channel));
  const at = Date.now() + 31 * MINUTE;
  const planned = await plan(
    maker,
    { title: 'Run', when: typed(at), server: 'two', channel },
    { length: '1', repeats: 'weekly' },
  );
  await maker.press(planned.message, 'Announce');
  await maker.press(card(), 'Remind me');
  await maker.press(card(), "I'm in");

  await setOn(5 * MINUTE, maker);
  await eventually(() =>
    expect(chat.visitor(maker.id).messages(chat.directChannel(maker.id))).toHaveLength(1),
  );
  await bot.crash();
  await bot.start();
  await setOn(32 * MINUTE, maker);
  await eventually(() => expect(readable(card())).toMatch(/on Two|Under way/));
  await setOn(98 * MINUTE, maker);
  await eventually(() => expect(cards(chat, channel)).toHaveLength(2));
  const [over, next] = cards(chat, channel);
  await eventually(() => expect(over && readable(cards(chat, channel)[0] ?? over)).toMatch(/took part/));
  expect(next && readable(next)).toContain('1 going');
  expect(chat.visitor(maker.id).messages(chat.directChannel(maker.id))).toHaveLength(1);
  expect((await maker.ask('convoy list', {})).text).toContain('Past convoys');
  await dataService.close();
}, 120_000);

test.concurrent('makes one Discord event despite a lost answer and a kill; tells of its deletion', async ({
  dataService,
}) => {
  await using clocks = await withClocks();
  const { chat, later, setOn } = clocks;
  await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: 300, later });
  await bot.start();
  const maker = guest(chat, chat.people[0] ?? '');
  const channel = boardChannel(chat);
  const at = Math.floor(Date.now() / MINUTE) * MINUTE + 5 * 60 * MINUTE;
  const options = { title: 'Run', when: typed(at), server: 'two', channel };
  const events = () => [...chat.events.values()];
  const direct = () => chat.visitor(maker.id).messages(chat.directChannel(maker.id));

  const planned = await plan(maker, options, { repeats: 'weekly' });
  expect(planned.text).not.toContain('Create Events');
  // The card's, and that of the event.
  chat.setFault('post-500-after-create', true, 2);
  await maker.press(planned.message, 'Announce');
  await eventually(() => expect(events()).toHaveLength(1));
  await bot.crash();
  await bot.start();
  const card = only(cards(chat, channel));
  const location = `https://discord.com/channels/${chat.guildId}/${channel}/${card.id}`;
  await eventually(() =>
    expect(
      chat.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/scheduled-events')),
    ).toHaveLength(2),
  );
  expect(events()).toMatchObject([{ name: 'Run', creator_id: chat.botId, entity_metadata: { location } }]);
  expect(events()[0]?.scheduled_start_time).toBe(new Date(at).toISOString());
  expect(events()[0]?.recurrence_rule).toMatchObject({
    frequency: 2,
    by_weekday: [(new Date(at).getUTCDay() + 6) % 7],
  });

  chat.events.clear();
  await setOn(61 * MINUTE, maker);
  await eventually(() => expect(direct()).toHaveLength(1));
  expect(direct()[0]?.content).toContain('**Run** was deleted');
  await bot.crash();
  await bot.start();
  const asking = await maker.ask('convoy cancel', {});
  await maker.press(asking.message, 'Cancel');
  await eventually(() => expect(readable(only(cards(chat, channel)))).toContain('was cancelled'));
  expect([events(), direct()].map(({ length }) => length)).toEqual([0, 1]);

  const again = await plan(maker, { ...options, title: 'Two' });
  await maker.press(again.message, 'Announce');
  await eventually(() => expect(events()).toMatchObject([{ name: 'Two', recurrence_rule: null }]));
  const cancelling = await maker.ask('convoy cancel', {});
  await maker.press(cancelling.message, 'Cancel');
  await eventually(() => expect(events()).toEqual([]));
}, 120_000);

test.concurrent('tells of a convoy in a closed channel only to its viewers, and makes no event', async ({
  chat,
  dataService,
}) => {
  await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: 300 });
  await bot.start();
  const [maker, other] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined || other === undefined) throw new Error('the sandbox has too few people');
  const channel = boardChannel(chat);
  const events = () => [...chat.events.values()];
  const allow = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
  for (const id of [maker.id, chat.botId])
    chat.moderator.setOverwrite(channel, { id, type: 'member', allow, deny: 0n });
  const everyone = { id: chat.guildId, type: 'role' } as const;
  chat.moderator.setOverwrite(channel, { ...everyone, allow: 0n, deny: PermissionFlagsBits.ViewChannel });

  const at = typed(Date.now() + 3 * 60 * MINUTE);
  const options = { title: 'Ban wave', when: at, server: 'two', channel };
  const planned = await plan(maker, options, { repeats: 'weekly' });
  expect(planned.text).toContain('there will be no Discord event');
  await maker.press(planned.message, 'Announce');
  await eventually(() => expect(cards(chat, channel)).toHaveLength(1));
  expect((await maker.ask('convoy list', {})).text).toContain('Ban wave');
  expect((await other.ask('convoy list', {})).text).not.toContain('Ban wave');
  expect(events()).toEqual([]);

  chat.moderator.setOverwrite(channel, { ...everyone, allow: 0n, deny: 0n });
  await eventually(() => expect(events()).toMatchObject([{ name: 'Ban wave' }]));
  expect((await other.ask('convoy list', {})).text).toContain('Ban wave');
  chat.moderator.setOverwrite(channel, { ...everyone, allow: 0n, deny: PermissionFlagsBits.ViewChannel });
  await eventually(() => expect(events()).toEqual([]));
  expect((await other.ask('convoy list', {})).text).not.toContain('Ban wave');

  chat.moderator.setOverwrite(channel, { ...everyone, allow: 0n, deny: 0n });
  await eventually(() => expect(events()).toHaveLength(1));
  chat.moderator.deleteChannel(channel);
  await eventually(() => expect(events()).toEqual([]));
  expect((await maker.ask('convoy list', {})).text).not.toContain('Ban wave');
}, 120_000);

test.concurrent('the maker of a convoy in a closed channel can tell the whole server by an event', async ({
  chat,
  dataService,
}) => {
  await using bot = await createBotWithin(chat, dataService, {}, { watchEvery: 300 });
  await bot.start();
  const [maker, other] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined || other === undefined) throw new Error('the sandbox has too few people');
  const channel = boardChannel(chat);
  const events = () => [...chat.events.values()];
  const allow = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
  const everyone = {
    id: chat.guildId,
    type: 'role',
    allow: 0n,
    deny: PermissionFlagsBits.ViewChannel,
  } as const;
  chat.moderator.setOverwrite(channel, everyone);
  for (const id of [maker.id, chat.botId])
    chat.moderator.setOverwrite(channel, { id, type: 'member', allow, deny: 0n });

  const options = { when: typed(Date.now() + 3 * 60 * MINUTE), server: 'two', channel };
  const [tell, keep] = ['Make a Discord event', 'No event'];
  const secret = await plan(maker, { ...options, title: 'Staff only' });
  const told = await maker.press(secret.message, tell);
  expect(told.text).toContain('will show everyone here the title');
  const untold = await maker.press(told.message, keep);
  expect(untold.text).toContain('there will be no Discord event');
  await maker.press(untold.message, 'Announce');
  const party = await plan(maker, { ...options, title: 'Party' });
  await maker.press((await maker.press(party.message, tell)).message, 'Announce');
  await eventually(() => expect(events()).toMatchObject([{ name: 'Party' }]));

  // The event names it to everybody; the list shows only what its reader may view.
  const lists = [(await maker.ask('convoy list', {})).text, (await other.ask('convoy list', {})).text];
  for (const title of ['Staff only', 'Party'])
    expect(lists.map((list) => list.includes(title))).toEqual([true, false]);
  const made = chat.requests.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/scheduled-events'),
  );
  expect(made).toHaveLength(1);
}, 120_000);
