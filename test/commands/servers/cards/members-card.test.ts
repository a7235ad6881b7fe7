import { describe, expect, test } from 'vitest';
import { membersCard } from '../../../../commands/servers/cards/members-card.ts';
import { breaches } from '../../../support/embed-limits.ts';
import { strayMarkup } from '../../../support/markup.ts';
import { rowsOf } from '../../../support/readable.ts';
import { translatorFor, worst } from '../../../support/readers.ts';
import { answer, chatServer, NOON } from '../../../support/records.ts';

function card(changes: object = {}, page = 0, locale = 'en-GB') {
  return membersCard(answer(chatServer(changes)), page, translatorFor(locale));
}

function list(changes: object = {}, page = 0): readonly string[] {
  return (card(changes, page).embeds[0].description ?? '').split('\n\n')[1]?.split('\n') ?? [];
}

const crowd = (count: number, name = 'driver', status = 'online') =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    username: `${String(index).padStart(3, '0')} ${name}`,
    status,
    channel_id: '1',
  }));

test('the members stand by status, each with the channel they are in', () => {
  expect(card().embeds[0].title).toBe('\\[TC\\] City Drivers™');
  expect(list()).toEqual([
    '**Anna\\_B** · 🟢 online',
    '**zoë** · 🟢 online · Lobby',
    '**sleepy** · 🌙 idle',
    '**busy^1** · ⛔ do not disturb · Lobby',
    '**caster** · ❔ other',
  ]);
});

test('the lead counts them, and the channels and the age stand below', () => {
  const [embed] = card().embeds;
  expect(embed.description).toMatch(
    /^\*\*On Discord\*\* 5\n🟢 online 2 · 🌙 idle 1 · ⛔ do not disturb 1 · ❔ other 1\n\n/,
  );
  expect(embed.fields?.map(({ value }) => value)).toEqual([
    `Lobby (2)\nCruise \\| One\nTow & medics\n-# As of <t:${NOON / 1000}:R>`,
  ]);
});

test('a widget that is off is named in place of a number', () => {
  const [{ description, fields }] = card({ members: undefined, code: 50_004 }).embeds;
  expect(description).toMatch(/^The widget of /);
  expect(description).toContain('*Server Settings → Widget*');
  expect(description).not.toMatch(/\d\n|Nobody/);
  expect(fields ?? []).toEqual([]);
});

test('a channel without an id has no members, rather than those that are in none', () => {
  const [embed] = card({ channels: [{ name: 'Lobby' }] }).embeds;
  expect(embed.fields?.[0]?.value).toMatch(/^Lobby\n-# As of/);
});

test('every member is on one page and on one only', () => {
  const pages = [0, 1, 2, 3, 4].map((page) => list({ members: crowd(87) }, page));
  expect(pages.map(({ length }) => length)).toEqual([18, 18, 18, 18, 15]);
  expect(new Set(pages.flat()).size).toBe(87);
});

test('a page that is gone is the last one there is, and one page has no turns', () => {
  expect(list({ members: crowd(30) }, 9999)).toEqual(list({ members: crowd(30) }, 1));
  expect(card({ members: crowd(30) }).embeds[0].description).toContain('Page 1 of 2');
  expect(rowsOf(card()).flatMap(({ components }) => components)).toHaveLength(1);
});

test('a full list is marked as cut', () => {
  const text = card({ members: crowd(100) }).embeds[0].description;
  expect(text).toMatch(/^\*\*On Discord\*\* 100\+ · Page 1 of 6\n🟢 online 100\+\n/);
  // Those whom the list leaves out may be in a channel, too.
  const channels = [
    { id: '1', name: 'Lobby' },
    { id: '2', name: 'Cruise' },
  ];
  const [inChannels] = card({ members: crowd(100), channels }).embeds[0].fields ?? [];
  expect(inChannels?.value).toMatch(/^Lobby \(100\+\)\nCruise\n-# As of/);
});

test('nobody there is said', () => {
  expect(card({ members: [], channels: [], name: null }).embeds[0]).toMatchObject({
    title: 'On Discord',
    description: `**On Discord** 0\nNo members online.\n-# As of <t:${NOON / 1000}:R>`,
  });
});

test('a count without a list does not read as nobody', () => {
  const { description } = card({ members: [], presence_count: 312 }).embeds[0];
  expect(description).toMatch(/^\*\*On Discord\*\* 312\nThe data service doesn't list who is online\.$/);
});

test('a count below the list is none', () => {
  expect(card({ presence_count: 1 }).embeds[0].description).toMatch(/^\*\*On Discord\*\* 5\n/);
});

test('the invite stands with them, where there is one', () => {
  const invite = 'https://discord.gg/abcdefg';
  expect(card({ instant_invite: invite }).embeds[0].description).toContain(`\n**Invite** ${invite}`);
  expect(card().embeds[0].description).not.toContain('Invite');
});

describe.each(worst)('with names of $kind', ({ name, locales }) => {
  test('every page fits and is whole', () => {
    const changes = {
      name,
      members: crowd(100, name, 'dnd'),
      channels: Array.from({ length: 100 }, (_, index) => ({ id: String(index), name })),
    };
    for (const locale of locales)
      for (const page of [0, 3]) {
        const made = card(changes, page, locale);
        expect(breaches(made)).toEqual([]);
        expect(strayMarkup(made.embeds[0])).toEqual([]);
      }
    expect(list(changes, 3)).toHaveLength(18);
    expect(list(changes, 3).at(-1)).not.toContain('more');
  });
});
