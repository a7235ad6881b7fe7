/** A random day in the life of a board, on a virtual clock: every kind of fault at random times from a seed. */

import { HOUR, MINUTE, SECOND } from '../../src/base/duration.ts';
import { type BoardOptions, RIGHTS } from '../../src/cards/board/board.ts';
import {
  allBoards,
  type BoardsInMemory,
  boardsInMemory,
  CHANNEL,
  type Process,
  type Sabotage,
  seeded,
  textOf,
  versionOf,
} from '../messages/boards/support/boards-in-memory.ts';
import { ALL_RIGHTS, type ChatFault } from '../support/chat-model.ts';

/** What a day comes to. Times in seconds. */
export interface Day {
  readonly seed: number;
  readonly faults: number;
  /** Not exactly one message that shows the newest state when the day is over. */
  readonly lost: number;
  /** The longest time for which there was more than one message. */
  readonly doubledFor: number;
  /** How often an older state was seen after a newer one. */
  readonly olderAfterNewer: number;
  /** How often nobody was shown driving although somebody always is. */
  readonly falselyEmpty: number;
  /** From the end of a fault until the newest state was shown, at worst; after a kill it counts by itself. */
  readonly recovery: Readonly<Record<string, number>>;
  /** From the same moment until no part of it was old any more, at worst: what costs budget has a pace of its own. */
  readonly wholeAgain: number;
  readonly edits: number;
  /** Different states that a reader could see, one after the other. */
  readonly states: number;
  /** In any ten minutes, at worst. */
  readonly invalid: number;
  /** How often what it shows was changed. */
  readonly chosen: number;
}

interface Fault {
  /** Seconds that it lasts, from and to. */
  readonly lasts: readonly [number, number];
  /** Of those that make chat refuse requests there is one in ten minutes: more would count as one long one. */
  readonly refuses?: boolean;
  /** Of these there are two in ten minutes: after a third the board takes it that nobody wants it. */
  readonly deletes?: boolean;
  begin(day: Running): void;
  end?(day: Running): void;
}

interface Running {
  readonly bot: BoardsInMemory;
  readonly random: () => number;
  readonly processes: Process[];
  readonly start: () => void;
}

function chatFault(fault: ChatFault, lasts: Fault['lasts'], refuses = false): Fault {
  return {
    lasts,
    refuses,
    begin: ({ bot }) => {
      bot.chat.fault = fault;
    },
    end: ({ bot }) => {
      bot.chat.fault = null;
    },
  };
}

function serviceFault(fault: NonNullable<BoardsInMemory['game']['fault']>): Fault {
  return {
    lasts: [10, 25 * 60],
    begin: ({ bot }) => {
      bot.game.fault = fault;
    },
    end: ({ bot }) => {
      bot.game.fault = null;
    },
  };
}

function killOne({ processes, random }: Running): void {
  const [killed] = processes.splice(Math.floor(random() * processes.length), 1);
  killed?.kill();
}

const faults: Readonly<Record<string, Fault>> = {
  'chat down': chatFault('down', [5, 300]),
  'chat: done but 500': chatFault('done-but-500', [5, 120]),
  'chat: reset': chatFault('reset', [5, 180]),
  'chat: hang': chatFault('hang', [5, 180]),
  'chat: slow': chatFault('slow', [30, 600]),
  'chat: 429': chatFault('429', [5, 70], true),
  'chat: 30046': chatFault('30046', [5, 70], true),
  'chat: reading down': chatFault('read-down', [5, 300]),
  'service down': serviceFault('down'),
  'service: broken JSON': serviceFault('broken'),
  'service: frozen': serviceFault('frozen'),
  'service: hang': serviceFault('hang'),
  'service: one empty answer': {
    lasts: [1, 1],
    begin: ({ bot }) => {
      bot.game.blanks = 1;
    },
  },
  'no budget': {
    lasts: [60, 1800],
    begin: ({ bot }) => {
      bot.game.budget = false;
    },
    end: ({ bot }) => {
      bot.game.budget = true;
    },
  },
  'rights lost': {
    lasts: [5, 1200],
    refuses: true,
    begin: ({ bot, random }) => {
      const lost = RIGHTS[Math.floor(random() * RIGHTS.length)];
      bot.chat.setRights(
        CHANNEL,
        ALL_RIGHTS.filter((right) => right !== lost),
      );
    },
    end: ({ bot }) => bot.chat.setRights(CHANNEL, ALL_RIGHTS),
  },
  'rights lost while the live connection is down': {
    lasts: [5, 300],
    refuses: true,
    begin: ({ bot }) => {
      bot.chat.setGateway(false);
      bot.chat.setRights(CHANNEL, []);
    },
    end: ({ bot }) => {
      bot.chat.setRights(CHANNEL, ALL_RIGHTS);
      bot.chat.setGateway(true);
    },
  },
  'message deleted': {
    deletes: true,
    lasts: [1, 1],
    begin: ({ bot }) => {
      const [message] = bot.chat.alive(CHANNEL);
      if (message !== undefined) bot.chat.deleteMessage(message.id);
    },
  },
  'message deleted while sends are lost': {
    deletes: true,
    lasts: [20, 60],
    begin: ({ bot }) => {
      const [message] = bot.chat.alive(CHANNEL);
      if (message !== undefined) bot.chat.deleteMessage(message.id);
      bot.chat.fault = 'reset';
    },
    end: ({ bot }) => {
      bot.chat.fault = null;
    },
  },
  'live connection down': {
    lasts: [5, 600],
    begin: ({ bot }) => bot.chat.setGateway(false),
    end: ({ bot }) => bot.chat.setGateway(true),
  },
  'guild unavailable': {
    lasts: [5, 900],
    begin: ({ bot }) => bot.chat.setGuildAvailable(false),
    end: ({ bot }) => bot.chat.setGuildAvailable(true),
  },
  'store failing': {
    lasts: [5, 120],
    begin: ({ bot }) => {
      bot.boardStore.broken = true;
    },
    end: ({ bot }) => {
      bot.boardStore.broken = false;
    },
  },
  'killed and started again': {
    lasts: [1, 60],
    begin: killOne,
    end: ({ start }) => start(),
  },
  'killed as a message comes to be': {
    deletes: true,
    lasts: [20, 60],
    begin: (day) => {
      day.bot.chat.onCreated = () => killOne(day);
      const [message] = day.bot.chat.alive(CHANNEL);
      if (message !== undefined) day.bot.chat.deleteMessage(message.id);
    },
    end: ({ bot, start, processes }) => {
      bot.chat.onCreated = null;
      if (processes.length === 0) start();
    },
  },
  'a second copy; then one is killed': {
    lasts: [10, 600],
    begin: ({ start }) => start(),
    end: killOne,
  },
};
export const kinds = Object.keys(faults);

/** Anything that leaves the newest state to be seen, in English. */
function anyOptions(random: () => number): Partial<BoardOptions> {
  const one = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  return {
    servers: one(null, ['one'], ['one', 'events']),
    members: one('on', 'folded', 'off'),
    names: one('on', 'off'),
  };
}

function withoutTimes(text: string): string {
  return text.replace(/<t:\d+:\w>/g, '');
}

/** Runs a day, or so many hours of it. With a safeguard undone, the figures show what it was for. */
export async function runDay(
  seed: number,
  { undone = {}, hours = 24 }: { readonly undone?: Sabotage; readonly hours?: number } = {},
): Promise<Day> {
  const bot = boardsInMemory(seed);
  const { time, chat, game } = bot;
  const random = seeded(seed * 7919 + 1);
  const between = ([from, to]: readonly [number, number]): number =>
    Math.round(from + (to - from) * random());
  const processes = [await bot.withBoard(undone)];
  const running: Running = { bot, random, processes, start: () => processes.push(bot.start(undone)) };
  const active = new Map<string, { readonly fault: Fault; endsAt: number }>();
  const recovery: Record<string, number> = {};
  const begun = time.elapsed;
  let waiting: { readonly name: string; readonly since: number; readonly version: number } | null = null;
  let nextFault = begun + 5 * MINUTE;
  let nextChange = begun;
  let lastRefusal = Number.NEGATIVE_INFINITY;
  const deletions: number[] = [];
  let doubledSince: number | null = null;
  let doubledFor = 0;
  let partlyOldSince: number | null = null;
  let wholeAgain = 0;
  let count = 0;
  let chosen = 0;
  const choosing = seeded(seed * 104_729 + 3);

  /** Somebody changes what the board shows, in any process. A store that fails makes nothing of it. */
  function choose(options: Partial<BoardOptions>): void {
    const process = processes[Math.floor(choosing() * processes.length)];
    process?.boards.edit(chat.guildId, CHANNEL, options).then(
      () => {
        chosen += 1;
      },
      () => {},
    );
  }

  /** False where the fault that chance has chosen may not begin now. */
  function beginOne(): boolean {
    const name = kinds[Math.floor(random() * kinds.length)] ?? '';
    const fault = faults[name];
    const last = 10 * MINUTE + (fault?.refuses === true ? MINUTE : 0);
    if (fault === undefined || active.has(name) || (fault.refuses && time.elapsed - lastRefusal < last))
      return false;
    const lately = deletions.filter((at) => time.elapsed - at < 11 * MINUTE);
    if (fault.deletes && lately.length >= 2) return false;
    if (fault.deletes) deletions.push(time.elapsed);
    if (fault.refuses) lastRefusal = time.elapsed;
    count += 1;
    fault.begin(running);
    active.set(name, { fault, endsAt: time.elapsed + between(fault.lasts) * SECOND });
    return true;
  }

  function step(now: number, isLast: boolean): void {
    if (now >= nextChange) {
      game.version += 1;
      const hour = Math.floor((now - begun) / HOUR);
      // Nights are quiet.
      nextChange = now - Math.log(1 - random()) * (hour < 16 ? 40 * SECOND : 15 * MINUTE);
    }
    if (choosing() < 1 / 1200) choose(anyOptions(choosing));
    if (random() < 0.02) chat.chatter(CHANNEL, Math.floor(random() * 20));
    if (now >= nextFault && !isLast && beginOne()) {
      // One in five begins while another one lasts.
      nextFault = random() < 0.2 ? now + 5 * SECOND : Number.POSITIVE_INFINITY;
      waiting = null;
      partlyOldSince = null;
    }
    for (const [name, { fault, endsAt }] of active) {
      if (now < endsAt) continue;
      active.delete(name);
      fault.end?.(running);
      if (active.size > 0) continue;
      lastRefusal = fault.refuses === true ? now : lastRefusal;
      // Recovered is who shows what has happened since.
      game.version += 1;
      waiting = { name, since: now, version: game.version };
      partlyOldSince = now;
      nextFault = now + between([60, 20 * 60]) * SECOND;
    }
    const there = chat.alive(CHANNEL);
    doubledSince = there.length > 1 ? (doubledSince ?? now) : null;
    if (doubledSince !== null) doubledFor = Math.max(doubledFor, now - doubledSince);
    const [only] = there;
    if (only === undefined || there.length > 1) return;
    const text = textOf(only.content);
    if (partlyOldSince !== null && text.includes('🟢 live')) {
      wholeAgain = Math.max(wholeAgain, now - partlyOldSince);
      partlyOldSince = null;
    }
    // Parts that are marked as old are asked for at their own pace; the live file is there at once.
    if (waiting === null || !/🟢 live|⚠️ partly old/.test(text)) return;
    if ((versionOf(only.content) ?? 0) < waiting.version) return;
    recovery[waiting.name] = Math.max(recovery[waiting.name] ?? 0, (now - waiting.since) / SECOND);
    waiting = null;
  }

  for (let now = begun; now < begun + hours * HOUR; now += SECOND) {
    await time.pass(begun === now ? 0 : SECOND);
    step(time.elapsed, now > begun + (hours - 0.5) * HOUR);
  }
  // What is still wrong has ended by now, and nothing changes any more.
  for (const { fault } of active.values()) fault.end?.(running);
  await time.pass(6 * MINUTE);
  choose({ members: 'on' });
  await time.pass(12 * MINUTE);

  const newest = bot.version() === game.version && bot.text()?.includes('🟢 live') === true;
  const settings = await allBoards(bot.store);
  const states = chat.seen.map(({ content }) => withoutTimes(textOf(content)));
  const versions = chat.seen.flatMap(({ content }) => versionOf(content) ?? []);
  const invalid = chat.requests.filter((request) => request.invalid).map(({ at }) => at);
  return {
    seed,
    faults: count,
    lost: newest && settings.length === 1 && waiting === null ? 0 : 1,
    doubledFor: doubledFor / SECOND,
    olderAfterNewer: versions.filter((version, index) => version < (versions[index - 1] ?? 0)).length,
    falselyEmpty: states.filter((text) => text.includes('0 drivers')).length,
    recovery,
    wholeAgain: wholeAgain / SECOND,
    edits: bot.edits(),
    chosen,
    states: states.filter((text, index) => text !== states[index - 1]).length,
    invalid: Math.max(
      0,
      ...invalid.map((at) => invalid.filter((other) => other >= at && other < at + 10 * MINUTE).length),
    ),
  };
}
