import { test as base, expect, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { barParts } from '../../src/cards/kit/bar-parts.ts';
import { type AppEmoji, createAppEmoji } from '../../src/discord/app-emoji.ts';
import { createRestOnce } from '../../src/discord/rest-once.ts';
import { drawBarPart } from '../../src/pictures/draw-bar-part.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { startChatServer } from '../support/outside-judge.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const COUNT = barParts().length;

/** One process of the bot. */
interface Process {
  readonly emoji: AppEmoji;
  readonly clock: ManualClock;
  readonly log: string[];
  uploads: boolean;
  drawn: number;
}

interface Stage {
  readonly chat: LocalChat;
  readonly run: () => Process;
}

const test = base.extend<Stage>({
  chat: async ({ task: _ }, use) => {
    const chat = await startChatServer();
    await use(chat);
    await chat.close();
  },
  run: async ({ chat }, use) => {
    const stops: (() => void)[] = [];
    await use(() => {
      const { ask, close } = createRestOnce({ token: chat.token, apiUrl: chat.apiUrl, patience: 7000 });
      const clock = createManualClock();
      const log: string[] = [];
      const wanted = barParts().map((part) => ({
        name: part.name,
        draw: async () => {
          process.drawn += 1;
          return drawBarPart(part);
        },
      }));
      const uploads = (): boolean => process.uploads;
      const emoji = createAppEmoji({
        ...{ ask, wanted, uploads, clock, applicationId: async () => chat.botId },
        log: createLog({ level: 'info', secrets: [], stream: { write: (line) => void log.push(line) } }),
      });
      const process: Process = { emoji, clock, log, uploads: true, drawn: 0 };
      stops.push(emoji.stop, close);
      emoji.keep();
      return process;
    });
    for (const stop of stops) stop();
  },
});

const posts = ({ requests }: LocalChat): number =>
  requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/emojis')).length;

test('uploads what is missing, once for all starts and processes', async ({ chat, run }) => {
  const { emoji, clock } = run();
  expect(emoji.of('pw1_gs2')).toBeNull();
  await clock.timer(HOUR);
  expect(posts(chat)).toBe(COUNT);
  expect(chat.emojiPicture(/\d{15,}/.exec(emoji.of('pw1_gs2') ?? '')?.[0] ?? '')).not.toBeNull();
  expect(emoji.of('pw1_gs2')).toMatch(/^<:pw1_gs2:\d{15,}>$/);
  expect(emoji.of('somebody_elses')).toBeNull();

  const next = run();
  await next.clock.timer(HOUR);
  expect(next.emoji.of('pw1_gs2')).toBe(emoji.of('pw1_gs2'));
  expect({ posts: posts(chat), drawn: next.drawn }).toEqual({ posts: COUNT, drawn: 0 });
});

test('of two processes one uploads, and the other finds them', async ({ chat, run }) => {
  const second = run();
  second.uploads = false;
  await second.clock.timer(MINUTE);
  expect(second.emoji.of('pw1_gs2')).toBeNull();

  const first = run();
  await first.clock.timer(HOUR);
  second.clock.pass(MINUTE);
  await second.clock.timer(HOUR);
  expect(second.emoji.of('pw1_gs2')).toBe(first.emoji.of('pw1_gs2'));
  expect(posts(chat)).toBe(COUNT);
});

test('a process that gives up its part while it uploads stops there', async ({ chat, run }) => {
  const first = run();
  const stop = chat.subscribe((event) => {
    if (event.type === 'answered' && event.request.method === 'POST') first.uploads = false;
  });
  await first.clock.timer(MINUTE);
  stop();
  expect(posts(chat)).toBe(1);
  expect(first.emoji.of('pw1_ns0')).toBeNull();

  const second = run();
  await second.clock.timer(HOUR);
  expect(posts(chat)).toBe(COUNT);
});

test('where Discord refuses, bars stay text, it is said once, and tried again ever more rarely', async ({
  chat,
  run,
}) => {
  chat.setFault('rest-500', true);
  const { emoji, clock, log } = run();
  await clock.timer(MINUTE);
  clock.pass(MINUTE);
  await clock.timer(2 * MINUTE);
  expect(emoji.of('pw1_gs2')).toBeNull();
  expect(log.filter((line) => line.includes('bars are text'))).toHaveLength(1);

  chat.setFault('rest-500', false);
  clock.pass(2 * MINUTE);
  await clock.timer(HOUR);
  expect(emoji.of('pw1_gs2')).toMatch(/^<:/);
});

test('what is there keeps being used while Discord does not answer', async ({ chat, run }) => {
  const { emoji, clock } = run();
  await clock.timer(HOUR);
  chat.setFault('rest-500', true);
  clock.pass(HOUR);
  await clock.timer(MINUTE);
  expect(emoji.of('pw1_gs2')).toMatch(/^<:/);
});

test('one that somebody has deleted is uploaded again', async ({ chat, run }) => {
  const { emoji, clock } = run();
  await clock.timer(HOUR);
  const before = emoji.of('pw1_gs2') ?? '';
  const [id = ''] = /\d{15,}/.exec(before) ?? [];
  await fetch(`${chat.apiUrl}/v10/applications/${chat.botId}/emojis/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bot ${chat.token}` },
  });
  clock.pass(HOUR);
  await vi.waitFor(() => expect(emoji.of('pw1_gs2')).not.toBe(before));
  await clock.timer(HOUR);
  expect(emoji.of('pw1_gs2')).toMatch(/^<:pw1_gs2:/);
  expect(posts(chat)).toBe(COUNT + 1);
});

test('an answer that cannot be read is a refusal, and not in the log', async () => {
  const clock = createManualClock();
  const log: string[] = [];
  const emoji = createAppEmoji({
    ...{ clock, wanted: [], uploads: () => true, applicationId: async () => '1' },
    ask: async () => ({ kind: 'answered', body: { items: [{ id: 'x'.repeat(5000), name: 7 }] } }),
    log: createLog({ level: 'info', secrets: [], stream: { write: (line) => void log.push(line) } }),
  });
  emoji.keep();
  await clock.timer(MINUTE);
  emoji.stop();
  expect(log).toHaveLength(1);
  expect(log[0]?.length).toBeLessThan(300);
});
