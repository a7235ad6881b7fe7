/** `when:` of `/convoy create` as Discord sends it: suggestions while it is typed, and what a sent text does. */
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  SnowflakeUtil,
} from 'discord.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import convoy from '../../../commands/convoys/convoy.ts';
import { SECOND } from '../../../src/base/duration.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';
import { peopleInMemory } from '../../support/people.ts';

/** A Monday, 12:30 in Berlin. */
const NOW = Date.parse('2026-11-23T11:30:00Z');
const GUILD = '100000000000000001';
const PERSON = '100000000000000004';

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const Suggestions = z.object({
  data: z.object({ choices: z.array(z.object({ name: z.string(), value: z.string() })) }),
});

/** A person in a guild, in Berlin unless nobody knows where. */
async function planner({ isZoned = true } = {}) {
  const people = peopleInMemory({ now: () => NOW });
  if (isZoned) await people.store.timeZones.set(PERSON, 'Europe/Berlin');
  const bot = dispatchInMemory({ commands: new Map([['convoy', convoy]]), context: people });
  async function send(type: InteractionType, options: readonly object[]): Promise<readonly string[]> {
    const before = bot.heard.length;
    const create = { name: 'create', type: ApplicationCommandOptionType.Subcommand, options };
    bot.ask({
      id: String(SnowflakeUtil.generate()),
      type,
      data: { id: '1', name: 'convoy', type: ApplicationCommandType.ChatInput, options: [create] },
      ...inGuild(GUILD),
    });
    await vi.advanceTimersByTimeAsync(SECOND);
    return bot.heard.slice(before).map(({ body }) => body);
  }
  const text = (name: string, value: string, more: object = {}) => ({
    ...{ type: ApplicationCommandOptionType.String, name, value },
    ...more,
  });
  const draft = () => people.features.convoys.draftOf({ id: PERSON, guild: GUILD }, NOW);
  return {
    people,
    draft,
    async suggestions(typed: string) {
      const option = text('when', typed, { focused: true });
      const [sent = ''] = await send(InteractionType.ApplicationCommandAutocomplete, [option]);
      return Suggestions.parse(JSON.parse(sent)).data.choices;
    },
    /** The first answer of Discord's. */
    async create(when: string) {
      const options = [text('title', 'Run'), text('when', when), text('server', 'two')];
      const [sent = ''] = await send(InteractionType.ApplicationCommand, options);
      return sent;
    },
  };
}

test('suggestions name the moment in the zone of the person; the typed text is last', async () => {
  const { suggestions } = await planner();
  const offered = await suggestions('fri');
  expect(offered[0]).toEqual({
    name: 'Fri 27 Nov, 20:00 · Berlin',
    value: '2026-11-27 20:00 Europe/Berlin',
  });
  expect(offered.at(-1)).toEqual({ name: 'fri', value: 'fri' });
});

test('a chosen moment is stored, whatever time zone the person has by then', async () => {
  const { people, suggestions, create, draft } = await planner();
  const [first] = await suggestions('fri 8');
  expect(first?.name).toBe('Fri 27 Nov, 20:00 · Berlin');
  await people.store.timeZones.set(PERSON, 'Asia/Tokyo');
  const at = Date.parse('2026-11-27T19:00Z');
  expect(await create(first?.value ?? '')).toContain(`<t:${at / SECOND}:F>`);
  expect(await draft()).toMatchObject({ at, isZoned: false, zone: 'Asia/Tokyo' });
});

test('the name of a suggestion is read as its moment if Discord sends it as the value', async () => {
  const { create, draft } = await planner();
  await create('Fri 27 Nov, 20:00 · Berlin');
  expect(await draft()).toMatchObject({ at: Date.parse('2026-11-27T19:00Z') });
});

test.each(['tonight 9pm', 'next friday 20:00', 'in half an hour', 'whenever', 'x'.repeat(90)])(
  '"%s" opens the window with what was typed, and stores nothing',
  async (when) => {
    const { create, draft } = await planner();
    const sent = JSON.parse(await create(when));
    expect(sent.type).toBe(InteractionResponseType.Modal);
    const values = JSON.stringify(sent);
    expect(values).toContain(`"value":"${when.slice(0, 49)}"`);
    expect(values).toContain('"value":"Run"');
    expect(values).toMatch(/"value":"two"[^}]*"default":true/);
    expect(await draft()).toBeNull();
  },
);

test('a day without a time opens the window on that day', async () => {
  const { create, draft } = await planner();
  const sent = await create('fri');
  expect(sent).toMatch(/"value":"2026-11-27","label":"Fri 27 Nov","default":true/);
  expect(await draft()).toBeNull();
});

test('the window asks for title, day, time and server, and for the zone or the rhythm', async () => {
  for (const [isZoned, last] of [
    [true, 'repeats'],
    [false, 'zone'],
  ] as const) {
    const { create } = await planner({ isZoned });
    const { data } = JSON.parse(await create('whenever'));
    const fields = data.components.map(
      (label: { component: { custom_id: string } }) => label.component.custom_id,
    );
    expect(fields).toEqual(['title', 'day', 'time', 'server', last]);
  }
});

test('a time of day is not read without a time zone: the window asks for it', async () => {
  const { create, draft } = await planner({ isZoned: false });
  const sent = await create('fri 20:00');
  expect(JSON.parse(sent).type).toBe(InteractionResponseType.Modal);
  expect(sent).toMatch(/"value":"2026-11-27","label":"Fri 27 Nov","default":true/);
  expect(await draft()).toBeNull();
  const span = await planner({ isZoned: false });
  expect(await span.create('in 2 h')).toMatch(/<t:\d+:F>/);
  expect(await span.draft()).toMatchObject({ isZoned: false });
});

test.each([
  ['fri 20:00', '1795806000'],
  ['in 2 h', '1795440600'],
])('"%s" is read without choosing', async (when, stamp) => {
  const { create } = await planner();
  expect(await create(when)).toContain(`<t:${stamp}:F>`);
});

test('a text with two meanings becomes two buttons, and a past time a sentence', async () => {
  const { create } = await planner();
  expect((await create('fri 8')).match(/:at:\d{16},\d{10}/g)).toHaveLength(2);
  expect(await create('today 10:00')).toContain('is in the past');
});
