/** Every answer on a phone, on a busy evening: it is on the screen when it arrives. */
import type { APIMessage } from 'discord.js';
import { describe, expect } from 'vitest';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { drawChart } from '../../../src/pictures/draw.ts';
import { loadFonts } from '../../../src/pictures/sheet.ts';
import { busyEvening } from '../../support/busy-evening.ts';
import { everyAnswer } from '../../support/every-answer.ts';
import { hasChromium } from '../../support/requirements.ts';
import { createTranslators } from '../../support/translators.ts';
import { test } from './support/page-test.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
const translatorFor = createTranslators();
const PHONE_WIDTHS = [360, 390];
const PHONE_HEIGHT = 844;
/** Pixels of the line above an answer that says who used which command. */
const USED = 25;
/** Maximum pixels of an answer: the phone's screen without the channel's name and the field to type in. */
const SCREEN = 690;
/** Pixels by which an answer may be taller on the narrower phone, where a few lines more break. */
const NARROW = 35;
/** Other maximums by what was typed or pressed, on the wider and the narrower phone; the first that fits. */
const others: readonly (readonly [what: RegExp, wide: number, narrow?: number])[] = [
  // Behind the picture; *Tell me* takes a row of its own where words are long.
  [/^\/profile|:profile:(?:overview|open)/, 640, 735],
  // With what linking a driver says above the card.
  [/^filled in/, 700, 740],
  // Where many drive, they are all named.
  [/^\/servers|:servers:/, 750, 770],
  // It names everything that is stored, whether months are kept, and what becomes of the copies.
  [/^\/privacy|:privacy:/, 745, 830],
  [/^\/help/, SCREEN, SCREEN],
  // With every line that the history of a car can have.
  [/^\/car|:car:/, SCREEN, 795],
];

/** Maximum pixels of that answer on a phone of that width. */
function maximumOf(what: string, width: number): number {
  const [, wide, narrow = wide + NARROW] = others.find(([which]) => which.test(what)) ?? [null, SCREEN];
  return width === 390 ? wide : narrow;
}

/** One of each kind: its height is the same in every language, but for a line of a legend. */
const pictures = new Map<string, Buffer>();

function drawn({ name, chart }: NonNullable<Reply['picture']>): Buffer {
  const png = pictures.get(name) ?? Buffer.from(drawChart(chart));
  pictures.set(name, png);
  return png;
}

/** Of the header. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** As the channel has it: *Share* is below private answers alone. */
function messageOf(reply: Reply, apiUrl: string) {
  const { picture } = reply;
  const content = compact(reply.content ?? null, picture?.lineAbove ?? null).join('\n');
  const { embeds = [], components = [] } = { ...reply, ...picture };
  const isShare = (id: string) => readCustomId(id)?.share === true;
  const rows = components.map((row) => ({
    ...row,
    components: row.components.filter((each) => !('custom_id' in each && isShare(each.custom_id))),
  }));
  const message: Partial<APIMessage> = {
    content,
    embeds: [...embeds],
    components: rows.filter((row) => row.components.length > 0),
  };
  if (picture === undefined) return message;
  const url = `${apiUrl}/${picture.name}.png`;
  const file = { id: '1', filename: 'chart.png', size: 1, url, proxy_url: url, description: 'chart' };
  return { ...message, attachments: [{ ...file, ...sizeOf(drawn(picture)) }] };
}

/** All answers of one language, each once. */
async function answersIn(locale: string) {
  const answers = await everyAnswer(commands, locale, translatorFor, [busyEvening]);
  const replies = answers.flatMap((each) => ('reply' in each ? [each] : []));
  return [...new Map(replies.map((each) => [JSON.stringify(each.reply), each])).values()];
}

describe.runIf(hasChromium)('On a phone', () => {
  loadFonts();

  test.for(['en-GB', 'de', 'ru'])('every answer is on the screen: in %s', async (locale, { page, chat }) => {
    const answers = await answersIn(locale);
    await page.setViewportSize({ width: 390, height: PHONE_HEIGHT });
    await page.route('**/*.png', (route) => {
      const [, kind = ''] = /([a-z-]+)\.png$/.exec(route.request().url()) ?? [];
      return route.fulfill({ contentType: 'image/png', body: pictures.get(kind) ?? '' });
    });
    for (const { reply } of answers) chat.post(messageOf(reply, chat.apiUrl));
    await page.reload();
    const items = page.locator('#message-list > li');
    await items.nth(answers.length - 1).waitFor();
    const tall: string[] = [];
    for (const width of PHONE_WIDTHS) {
      await page.setViewportSize({ width, height: PHONE_HEIGHT });
      const heights = await items.evaluateAll((all) =>
        all.map((item) => item.getBoundingClientRect().height),
      );
      expect(heights).toHaveLength(answers.length);
      expect(Math.max(...heights)).toBeGreaterThan(600);
      for (const [at, { what: long }] of answers.entries()) {
        const what = long.replace(`${busyEvening.name}: `, '');
        const most = maximumOf(what.replace(/^1/, ''), width);
        const height = Math.ceil((heights[at] ?? Infinity) + USED);
        if (height > most) tall.push(`${what} at ${width}: ${height} of ${most}`);
      }
    }
    expect(answers.length).toBeGreaterThan(300);
    expect([...pictures.keys()]).toContain('driver');
    expect(tall).toEqual([]);
  });
});
