/** Every answer on a phone, on a busy evening: it is on the screen when it arrives. */
import type { APIMessage } from 'discord.js';
import { describe, expect } from 'vitest';
import type { Reply } from '../../../src/app/reply.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import { draw } from '../../../src/pictures/draw.ts';
import { loadFonts } from '../../../src/pictures/sheet.ts';
import { busyEvening } from '../../support/busy-evening.ts';
import { everyAnswer } from '../../support/every-answer.ts';
import { hasChromium } from '../../support/requirements.ts';
import { test } from './support/page-test.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
const translatorFor = createTranslators();
const PHONE = { width: 390, height: 844 };
/** Pixels of the line above an answer that says who used which command. */
const USED = 25;
/** Of an answer, in pixels: the phone's screen without the channel's name and the field to type in. */
const SCREEN = 690;
/** Others, by what was typed or pressed; the first that fits. */
const others: readonly (readonly [what: RegExp, most: number])[] = [
  [/^\/profile|:profile:(?:overview|open)/, 600],
  // Where many drive, they are all named.
  [/^\/servers|:servers:/, 880],
];

/** One of each kind: its height is the same in every language, but for a line of a legend. */
const pictures = new Map<string, Buffer>();

function drawn(chart: NonNullable<Reply['picture']>['chart']): Buffer {
  const png = pictures.get(chart.kind) ?? Buffer.from(draw(chart));
  pictures.set(chart.kind, png);
  return png;
}

/** Of the header. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** As the channel has it: *Share* is below private answers alone. */
function messageOf(reply: Reply, apiUrl: string) {
  const { content = '', picture } = reply;
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
  const url = `${apiUrl}/${picture.chart.kind}.png`;
  const file = { id: '1', filename: 'chart.png', size: 1, url, proxy_url: url, description: 'chart' };
  return { ...message, attachments: [{ ...file, ...sizeOf(drawn(picture.chart)) }] };
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
    await page.setViewportSize(PHONE);
    await page.route('**/*.png', (route) => {
      const [, kind = ''] = /([a-z-]+)\.png$/.exec(route.request().url()) ?? [];
      return route.fulfill({ contentType: 'image/png', body: pictures.get(kind) ?? '' });
    });
    for (const { reply } of answers) chat.post(messageOf(reply, chat.apiUrl));
    await page.reload();
    const items = page.locator('#message-list > li');
    await items.nth(answers.length - 1).waitFor();
    const heights = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height));
    const tall = answers.flatMap(({ what: long }, at) => {
      const what = long.replace(`${busyEvening.name}: `, '');
      const [, most] = others.find(([which]) => which.test(what.replace(/^1/, ''))) ?? ['', SCREEN];
      const height = Math.ceil((heights[at] ?? Infinity) + USED);
      return height > most ? [`${what}: ${height} of ${most}`] : [];
    });
    expect(heights).toHaveLength(answers.length);
    expect(answers.length).toBeGreaterThan(300);
    expect(Math.max(...heights)).toBeGreaterThan(600);
    expect(tall).toEqual([]);
  });
});
