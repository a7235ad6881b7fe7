import type { APIMessage } from 'discord.js';
import { describe, expect } from 'vitest';
import { DAY, SECOND } from '../../../src/base/duration.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { actsOf, type CountingPerson, countingPerson } from '../../support/counting-person.ts';
import { readable } from '../../support/readable.ts';
import { postedIn, test } from '../../support/sandbox.ts';

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

async function withZone(person: CountingPerson): Promise<void> {
  await person.type('timezone');
  await person.fill({ zone: ZONE });
  person.reset();
}

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
