/**
 * The way to what people do most, counted: what they type, press and fill in, from the channel to the end. A figure here is a limit
 * that a change may lower.
 */
import { type APIMessage, ComponentType } from 'discord.js';
import { describe, expect } from 'vitest';
import { DAY, SECOND } from '../../src/base/duration.ts';
import type { LocalChat } from '../../src/sandbox/chat/chat-server.ts';
import { type Filled, startingValues } from '../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome } from '../../src/sandbox/chat/visitor/visitor.ts';
import { button, readable } from '../support/readable.ts';
import { boardChannel, type Guest, postedIn, test } from '../support/sandbox.ts';

type Component = NonNullable<Outcome['form']>['components'][number]['component'];

/** Presses within a window until a field holds that; none for a text, which is typed. */
function tapsOf(component: Component, values: readonly string[]): number {
  switch (component.type) {
    case ComponentType.TextInput:
      return 0;
    case ComponentType.RadioGroup:
    case ComponentType.Checkbox:
      return 1;
    case ComponentType.CheckboxGroup: {
      const ticks = new Set(startingValues(component));
      return ticks.symmetricDifference(new Set(values)).size;
    }
    default:
      // It is opened, and one of several choices does not close it.
      return values.length === 1 ? 2 : values.length + 2;
  }
}

/** A person in the first channel who counts what they do. */
function countingPerson(chat: LocalChat, { id, channelId }: Guest) {
  const visitor = chat.visitor(id);
  const none = { commands: 0, presses: 0, windows: 0, taps: 0, texts: 0 };
  const steps = { ...none };
  let lastMessage: APIMessage | null = null;
  let openWindow: Outcome | null = null;

  function see(outcome: Outcome): string {
    openWindow = outcome.form === null ? null : outcome;
    lastMessage = outcome.message ?? lastMessage;
    return outcome.message === null ? '' : readable(outcome.message);
  }
  function componentOf(field: string): Component {
    const labels = openWindow?.form?.components ?? [];
    const label = labels.find(({ component }) => component.custom_id === field);
    if (label === undefined) throw new Error(`the window does not ask for ${field}`);
    return label.component;
  }
  return {
    steps,
    reset: () => Object.assign(steps, none),
    /** Types a command with its options. */
    async type(command: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
      steps.commands += 1;
      const typedOptions = Object.entries(options).map(([name, value]) => ({ name, value }));
      return see(await visitor.invoke(channelId, command, typedOptions));
    },
    /** Presses a button of that message, by default of the one that came last. */
    async press(label: string, message = lastMessage): Promise<string> {
      if (message === null) throw new Error('there is no message');
      steps.presses += 1;
      return see(await visitor.press(message.id, button(message, label)));
    },
    /** The choices of a field in the open window. */
    choices(field: string): readonly string[] {
      const component = componentOf(field);
      return 'options' in component ? component.options.map(({ value }) => value) : [];
    },
    /** Fills in these fields of the open window, and sends it. */
    async fill(filled: Filled): Promise<string> {
      for (const [field, value] of Object.entries(filled)) {
        const component = componentOf(field);
        steps.taps += tapsOf(component, [value].flat());
        if (component.type === ComponentType.TextInput) steps.texts += 1;
      }
      steps.windows += 1;
      return see(await visitor.submit(openWindow?.interactionId ?? '', filled));
    },
    pictures: () => lastMessage?.attachments.length ?? 0,
  };
}

type Person = ReturnType<typeof countingPerson>;

const counts = (steps: Partial<Person['steps']>) => ({
  ...{ commands: 0, presses: 0, windows: 0, taps: 0, texts: 0 },
  ...steps,
});

/** What is typed, pressed and sent, whatever is in its windows. */
const actsOf = ({ steps: { commands, presses, windows } }: Person): number => commands + presses + windows;

const ZONE = 'Europe/Berlin';
const weekdayOf = (at: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone }).format(new Date(at));
/** A Friday, if today is Tuesday: its evening is to come, whatever the hour now. */
const WEEKDAY = weekdayOf(Date.now() + 3 * DAY, ZONE);
const WHEN = `${WEEKDAY} 8pm`;

/** The last card that the bot has posted for everybody. */
const lastCard = (chat: LocalChat, channelId: string): APIMessage => {
  const card = postedIn(chat, channelId).findLast(({ embeds }) => embeds[0]?.title?.startsWith('🚗'));
  if (card === undefined) throw new Error('there is no card');
  return card;
};

/** The day and the hour of a convoy's card, in that zone. */
function momentOf(card: APIMessage): string {
  const [, seconds = ''] = /<t:(\d+):/.exec(readable(card)) ?? [];
  const at = Number(seconds) * SECOND;
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: ZONE } as const;
  return `${weekdayOf(at, ZONE)} ${new Intl.DateTimeFormat('en-GB', clock).format(at)}`;
}

/** That day among those that a window offers. */
const dayAmong = (days: readonly string[]): string =>
  days.find((day) => weekdayOf(day, 'UTC') === WEEKDAY) ?? '';

async function withZone(person: Person): Promise<void> {
  await person.type('timezone');
  await person.fill({ zone: ZONE });
  person.reset();
}

test("a driver's card is one command, picture first", async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  // On a busy machine, the first picture may come too late.
  const ask = async () => {
    person.reset();
    await person.type('profile', { player: 'Marek Nowicki' });
    return person.pictures();
  };
  await expect.poll(ask, { timeout: 20_000 }).toBe(1);
  expect(person.steps).toEqual(counts({ commands: 1 }));
});

test('the own card is one press and one name after the command', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('profile');
  await person.press('Link my driver');
  expect(await person.fill({ player: 'Marek Nowicki' })).toMatch(/^Linked to/);
  expect(person.steps).toEqual(counts({ commands: 1, presses: 1, windows: 1, texts: 1 }));
  person.reset();
  await expect
    .poll(
      async () => {
        await person.type('profile');
        return person.pictures();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
});

test('the alert about what is on the card is one press, as is its end', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('uptime', { server: 'one' });
  person.reset();
  expect(await person.press('Tell me')).toContain('🔔 Alert set');
  expect(person.steps).toEqual(counts({ presses: 1 }));
  await person.press('Remove');
  expect(person.steps).toEqual(counts({ presses: 2 }));
  expect(await person.type('watch list')).not.toContain('One');
});

describe('a convoy on a weekday at 8 pm is', () => {
  test('a command and a press', async ({ bot: _, chat, visitor }) => {
    const person = countingPerson(chat, visitor);
    await withZone(person);
    await person.type('convoy create', { title: 'Night run', when: WHEN, server: 'two' });
    expect(await person.press('Announce')).toContain('✅ Announced');
    expect(momentOf(lastCard(chat, visitor.channelId))).toBe(`${WEEKDAY} 20:00`);
    expect(actsOf(person)).toBe(2);
  });

  test('a command, a window and a press, with a zone that is asked for', async ({
    bot: _,
    chat,
    visitor,
  }) => {
    const person = countingPerson(chat, visitor);
    await person.type('convoy create');
    const day = dayAmong(person.choices('day'));
    await person.fill({ title: 'Night run', day, time: '8 pm', server: 'two', zone: ZONE });
    expect(await person.press('Announce')).toContain('✅ Announced');
    expect(momentOf(lastCard(chat, visitor.channelId))).toBe(`${WEEKDAY} 20:00`);
    expect(actsOf(person)).toBe(3);
    expect(person.steps).toMatchObject({ texts: 2, taps: 5 });
  });
});

test('changing one of two convoys is three acts by its name, four from its card', async ({
  bot: _,
  chat,
  visitor,
}) => {
  const person = countingPerson(chat, visitor);
  await withZone(person);
  for (const title of ['Day run', 'Night run']) {
    await person.type('convoy create', { title, when: WHEN, server: 'two' });
    await person.press('Announce');
  }
  const card = lastCard(chat, visitor.channelId);
  person.reset();
  await person.type('convoy edit', { convoy: 'Night run' });
  await person.fill({ time: '21:00' });
  expect(await person.press('Save')).toContain('✅');
  expect(actsOf(person)).toBe(3);

  person.reset();
  await person.press('Manage', card);
  await person.press('Edit');
  await person.fill({ time: '22:00' });
  expect(await person.press('Save')).toContain('✅');
  expect(actsOf(person)).toBe(4);
  await expect
    .poll(() => momentOf(lastCard(chat, visitor.channelId)), { timeout: 40_000 })
    .toBe(`${WEEKDAY} 22:00`);
});

test('the week and the month in a channel are ticked already: a command and a press', async ({
  bot: _,
  chat,
  visitor,
}) => {
  const person = countingPerson(chat, visitor);
  const preview = await person.type('recap', { post: boardChannel(chat) });
  expect(preview).toMatch(/✅ Each week[\s\S]*✅ Each month/);
  expect(await person.press('Post from now on')).toContain('gets the community recap from now on');
  expect(person.steps).toEqual(counts({ commands: 1, presses: 1 }));
});

test("a server's settings, each changed once: six taps, one for profiles, and a text", async ({
  bot: _,
  chat,
  visitor,
}) => {
  const person = countingPerson(chat, visitor);
  await person.type('settings');
  await person.fill({ language: 'en-GB', distances: 'miles', more: [], zone: 'berlin' });
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 6, texts: 1 }));
  await person.type('settings');
  expect(await person.fill({ profiles: 't' })).toContain('As text');
  expect(person.steps).toEqual(counts({ commands: 2, windows: 2, taps: 7, texts: 1 }));
});

test('a board with everything chosen is ten taps', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  await person.type('board create');
  const servers = person.choices('servers').slice(0, 4);
  const choices = { language: 'de', servers, members: 'on', names: 'off' };
  expect(await person.fill({ channel: boardChannel(chat), ...choices })).toContain('✅');
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 10 }));
});

test('a role for hours is three taps and a number', async ({ bot: _, chat, visitor }) => {
  const person = countingPerson(chat, visitor);
  const role = chat.roles.find(({ name }) => name === 'Police')?.id ?? '';
  await person.type('roles add');
  expect(await person.fill({ role, when: 'hours', 'at-least': '100' })).toContain('100');
  expect(person.steps).toEqual(counts({ commands: 1, windows: 1, taps: 3, texts: 1 }));
});
