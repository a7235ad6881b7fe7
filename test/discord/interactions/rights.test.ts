/** Rights that a subcommand or a form needs beside its command's, which Discord does not ask for. */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionType,
} from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { defineGroup, defineSubcommand } from '../../../src/command-kit/command.ts';
import { defineForm } from '../../../src/command-kit/form.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';

const GUILD = '100000000000000001';
const MANAGE_GUILD = '32';
const refused = 'You need *Manage Server* for this.';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** `/try own` needs Manage Server and a guild, `/try form` opens for everyone whose form does not need it. */
function started(begin: () => Promise<object> = async () => ({})) {
  const done: string[] = [];
  const common = { description: 'board.description', options: {} } as const;
  const form = defineForm({
    title: 'setup.title',
    permission: 'manage-guild',
    fields: { zone: { kind: 'text', label: 'setup.channel', optional: true } },
    begin,
    async submit() {
      done.push('submitted');
      return { content: 'done' };
    },
  });
  const run = (what: string) => async () => {
    done.push(what);
    return { content: 'done' };
  };
  const command = defineGroup({
    ...{ topic: 'bot', visibility: 'private', description: 'board.description' },
    subcommands: {
      own: defineSubcommand({ ...common, permission: 'manage-guild', guildOnly: true, run: run('own') }),
      form: defineSubcommand({ ...common, form, run: run('form') }),
    },
  });
  const bot = dispatchInMemory({ commands: new Map([['try', command]]) });
  const typed = (name: string) => ({
    type: InteractionType.ApplicationCommand,
    data: {
      ...{ id: '1', name: 'try', type: ApplicationCommandType.ChatInput },
      options: [{ type: ApplicationCommandOptionType.Subcommand, name }],
    },
  });
  const data = { custom_id: '1:try form:form:', components: [] };
  const pressed = { ...data, component_type: 2 };
  const input = { type: ComponentType.TextInput, custom_id: 'zone', value: '' };
  const zone = { type: ComponentType.Label, component: input };
  return {
    done,
    /** What Discord is told within so long, in ms. */
    async says(what: 'own' | 'form' | 'press' | 'submission', place: object, ms = 1000) {
      const before = bot.heard.length;
      if (what === 'submission')
        bot.ask({ type: InteractionType.ModalSubmit, data: { ...data, components: [zone] }, ...place });
      else if (what === 'press')
        bot.ask({
          ...{ type: InteractionType.MessageComponent, data: pressed, message: { id: '1', flags: 0 } },
          ...place,
        });
      else bot.ask({ ...typed(what), ...place });
      await vi.advanceTimersByTimeAsync(ms);
      return bot.heard
        .slice(before)
        .map(({ body }) => body)
        .join('\n');
    },
  };
}

test('a subcommand with a right of its own is refused without it, and outside a guild', async () => {
  const { says, done } = started();
  expect(await says('own', inGuild(GUILD))).toContain(refused);
  expect(await says('own', {})).toContain('only works in a server');
  expect(done).toEqual([]);
  await says('own', inGuild(GUILD, MANAGE_GUILD));
  expect(done).toEqual(['own']);
});

test('refuses a form without its right, when a button opens it and when it is sent', async () => {
  const { says, done } = started();
  expect(await says('press', inGuild(GUILD))).toContain(refused);
  expect(await says('submission', inGuild(GUILD))).toContain(refused);
  expect(done).toEqual([]);
  // Where it is typed, everyone else gets the command's own answer.
  await says('form', inGuild(GUILD));
  expect(done).toEqual(['form']);
  expect(await says('form', inGuild(GUILD, MANAGE_GUILD))).toContain('1:try form:form:');
  expect(await says('press', inGuild(GUILD, MANAGE_GUILD))).toContain('1:try form:form:');
  await says('submission', inGuild(GUILD, MANAGE_GUILD));
  expect(done).toEqual(['form', 'submitted']);
});

test('opens a window after a second, empty, if the store is slow, and never on a no', async () => {
  const slow = started(() => new Promise(() => {}));
  expect(await slow.says('form', inGuild(GUILD, MANAGE_GUILD), 900)).toBe('');
  expect(await slow.says('form', inGuild(GUILD, MANAGE_GUILD), 1100)).toContain('1:try form:form:');
  const { says } = started(() => Promise.reject(new UserError('not you')));
  const answer = await says('form', inGuild(GUILD, MANAGE_GUILD));
  expect(answer).toContain('not you');
  expect(answer).not.toContain('1:try form:form:');
});
