/** Names of players, and all that other projects' tests try, on the cards whose subject they are. */
import type { APIEmbed } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { profileCard, views } from '../../commands/drivers/cards/profile-card.ts';
import { dutyCard } from '../../commands/servers/cards/duty-card.ts';
import { liveCard } from '../../commands/servers/cards/live-card.ts';
import { namesOf } from '../../src/sandbox/service/world/names.ts';
import { hasColour } from '../../src/text/ansi.ts';
import { cutText } from '../../src/text/cut.ts';
import { toMarkdown } from '../../src/text/markdown.ts';
import { displayName, toPlainText } from '../../src/text/plain.ts';
import { scanText } from '../../src/text/scan.ts';
import { blocksOf } from '../support/blocks.ts';
import { breaches } from '../support/embed-limits.ts';
import { strayMarkup } from '../support/markup.ts';
import { answer, driver, liveFile, liveJson, NOON } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';
import examples from '../text/examples.json' with { type: 'json' };
import { hostile } from '../text/in-game.ts';

const translators = createTranslators();
const colours = translators('en-GB');
const hidden = translators('en-GB', { unit: 'kilometre', colours: false });

const names = new Set([
  ...(['own', 'hostile'] as const).flatMap((kind) => namesOf(kind).map(({ nickname }) => nickname)),
  ...examples.map(({ input }) => input),
  ...hostile,
  // Closes a fence, pings and formats at once.
  '^1```\n@everyone **^2bold** <@123456789012345678>',
]);

test('there are at least 110 of them', () => {
  expect(names.size).toBeGreaterThanOrEqual(110);
});

/** A name as it stands in a block. */
const inBlock = (text: string): string => text.replace('\u200e', '').trim();

/** As a list calls a driver of that name; the login name where nothing of it is visible. */
const shown = (name: string): string => displayName(name, 'login').trim();

/** As a title does, in which both names have 38 characters. */
const titled = (name: string): string =>
  toMarkdown(shown(name) === 'login' ? 'login' : `${cutText(shown(name), 38)} (login)`);

function expectSound(card: Parameters<typeof breaches>[0] & { readonly embeds: readonly [APIEmbed] }): void {
  expect(breaches(card)).toEqual([]);
  expect(strayMarkup(card.embeds[0])).toEqual([]);
}

describe.each([...names].map((name) => [name]))('%j', (name) => {
  const player = { 7: { un: 'login', nn: name, cop: true } };
  const live = answer(liveFile(liveJson(player)));
  const none = answer(liveFile(liveJson({})));
  const asked = { server: 'one', from: null, listed: null, wanted: 0, now: NOON } as const;
  const files = { one: live, two: none, three: none, four: none };

  test('heads every view of a profile, in its colours or as it reads', () => {
    const profile = answer(driver({ username: 'login', nickname: name, stats: null, licenses: null }));
    for (const view of views) {
      const card = profileCard(profile, view, colours);
      expectSound(card);
      const [{ title, description = '' }] = card.embeds;
      if (hasColour(scanText(name)) && shown(name) !== 'login') {
        expect(title).toBe('login');
        expect(description).toMatch(/^```ansi\n/);
        expect(inBlock(blocksOf(description)[0]?.join('\n') ?? '')).toBe(toPlainText(name).trim());
      } else {
        expect(title).toBe(titled(name));
      }
      const off = profileCard(profile, view, hidden);
      expectSound(off);
      expect(off.embeds[0].title).toBe(titled(name));
      expect(JSON.stringify(off.embeds)).not.toContain('```ansi');
    }
  });

  test('stands in the lists of a server and of who is on duty', () => {
    for (const [card, indent] of [
      [liveCard(live, asked, colours), ''],
      [dutyCard(files, NOON, colours), '  '],
    ] as const) {
      expectSound(card);
      const blocks = blocksOf(card.embeds[0].description);
      expect(blocks).toHaveLength(1);
      const line = blocks[0]?.at(-1) ?? '';
      expect(line).toMatch(/ 🚓$/);
      // Cut where it is wider than the column.
      expect(inBlock(line)).toContain([...shown(name)].slice(0, 10).join(''));
      expect(line.startsWith(indent)).toBe(true);
    }
    for (const card of [liveCard(live, asked, hidden), dutyCard(files, NOON, hidden)]) {
      expectSound(card);
      expect(card.embeds[0].description).not.toContain('```ansi');
      expect(card.embeds[0].description).toContain(`${toMarkdown(shown(name)).slice(0, 20)}`);
    }
  });
});
