/** The end of a process that still answers, and answers that another process has given. */
import { ApplicationCommandType, InteractionType } from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineCommand } from '../../../src/command-kit/command.ts';
import { dispatchInMemory } from '../../support/dispatch-in-memory.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const typed = {
  type: InteractionType.ApplicationCommand,
  data: { id: '1', name: 'try', type: ApplicationCommandType.ChatInput },
};

function started(parts: Parameters<typeof dispatchInMemory>[0], run: () => Promise<{ content: string }>) {
  const base = { topic: 'bot', visibility: 'public', description: 'board.description', options: {} } as const;
  return dispatchInMemory({ ...parts, commands: new Map([['try', defineCommand({ ...base, run })]]) });
}

test('ends the process once everybody unanswered was told to try again', async () => {
  const bot = started({}, () => new Promise(() => {}));
  bot.ask(typed);
  await vi.advanceTimersByTimeAsync(1000);
  const before = bot.heard.length;
  const told = bot.drain(100).then(() => bot.heard.slice(before).map(({ body }) => body));
  await vi.advanceTimersByTimeAsync(2000);
  expect((await told).join()).toContain('restarting');
});

test('what is asked of a process that ends is answered with "try again", and not begun', async () => {
  let begun = 0;
  const bot = started({}, async () => {
    begun += 1;
    return { content: 'done' };
  });
  const over = bot.drain(100);
  bot.ask(typed);
  await vi.advanceTimersByTimeAsync(2000);
  await over;
  expect([
    begun,
    bot.heard
      .map(({ body }) => body)
      .join()
      .includes('restarting'),
  ]).toEqual([0, true]);
});

test('a notice that is to follow an answer waits for one of this process', async () => {
  let isAnsweredElsewhere = true;
  const taken: string[] = [];
  const bot = started(
    {
      answer: () =>
        isAnsweredElsewhere
          ? Response.json({ code: 40060, message: 'already acknowledged' }, { status: 400 })
          : new Response(null, { status: 204 }),
      afterwards: [
        async ({ id }) => {
          taken.push(id);
          return { content: 'paused' };
        },
      ],
    },
    async () => ({ content: 'done' }),
  );
  bot.ask(typed);
  await vi.advanceTimersByTimeAsync(1000);
  expect(taken).toEqual([]);
  isAnsweredElsewhere = false;
  bot.ask(typed);
  await vi.advanceTimersByTimeAsync(1000);
  expect([taken.length, bot.heard.at(-1)?.body.includes('paused')]).toEqual([1, true]);
});
