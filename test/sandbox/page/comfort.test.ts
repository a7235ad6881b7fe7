/** The page in use: what moves, what opens, what can be read and reached, and where the address leads. */
import { ApplicationCommandType, ButtonStyle, ComponentType, MessageFlags } from 'discord.js';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { hasChromium } from '../../support/requirements.ts';
import { createFakeChat, DIRECT, SERVERS } from './support/fake-chat.ts';
import { commands, test } from './support/page-test.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const PROFILE = '300000000000000002';
const localised = commands.map((command) =>
  command.name === 'profile' && command.type === ApplicationCommandType.ChatInput
    ? {
        ...command,
        ...{ id: PROFILE, name_localizations: { de: 'profil' } },
        options: (command.options ?? []).map((option) => ({
          ...option,
          name_localizations: { de: option.name === 'player' ? 'spieler' : 'privat' },
        })),
      }
    : command,
);

const items = (page: Page): Locator => page.getByRole('log').getByRole('listitem');

/**
 * Of the letters to what is behind them, as WCAG 2 reckons it, for every button of the messages by what it says. The
 * page reckons, since it knows its colours; letters that are seen through cannot be reckoned this way and count 0.
 */
const CONTRASTS = `Object.fromEntries([...document.querySelectorAll('#messages .button')].map((button) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const layers = [];
  for (let one = button; one !== null; one = one.parentElement) layers.unshift(getComputedStyle(one));
  const luminance = (colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backs = layers.map(({ backgroundColor }) => backgroundColor);
  const [a, b] = [luminance(backs), luminance([...backs, getComputedStyle(button).color])];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return [button.innerText, layers.every(({ opacity }) => opacity === '1') ? contrast : 0];
}))`;
const Contrasts = z.record(z.string(), z.number());

describe.runIf(hasChromium)('The page', () => {
  test('leaves a failed command where it was sent, above what comes later', async ({ page, chat }) => {
    chat.post({ content: 'Before' });
    await page.getByText('Before').waitFor();
    await page.keyboard.type('/car AB12C');
    await page.keyboard.press('Enter');
    await page.getByText('The application did not respond').waitFor();
    chat.post({ content: 'After' });
    await page.getByText('After', { exact: true }).waitFor();
    const texts = await items(page).allInnerTexts();
    const order = ['Before', 'did not respond', 'After'].map((part) =>
      texts.findIndex((text) => text.includes(part)),
    );
    expect(order).toEqual([0, 1, 2]);
  });

  test('shows the live status beside the chat on a wide screen, unless it is open', async ({
    page,
    chat,
  }) => {
    const beside = page.locator('#beside');
    await page.setViewportSize({ width: 1280, height: 800 });
    await items(page).or(page.locator('#composer')).first().waitFor();
    expect(await beside.isVisible()).toBe(false);
    const { id, channel_id } = chat.post({ channel_id: SERVERS, content: '12 driving' });
    await beside.getByText('12 driving').waitFor();
    expect(await page.locator('#members').isVisible()).toBe(true);
    chat.post({ id, channel_id, content: '13 driving' });
    await beside.getByText('13 driving').waitFor();
    await page.setViewportSize({ width: 1100, height: 800 });
    expect(await beside.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'servers' }).click();
    await items(page).getByText('13 driving').waitFor();
    expect(await beside.isVisible()).toBe(false);
  });

  test('shows the head of a live status that is taller than the window', async ({ page, chat }) => {
    const beside = page.locator('#beside');
    await page.setViewportSize({ width: 1280, height: 500 });
    const content = ['The first line', ...Array.from({ length: 60 }, (_, line) => `Line ${line}`)].join('\n');
    chat.post({ channel_id: SERVERS, content: 'An older message' });
    const { id, channel_id } = chat.post({ channel_id: SERVERS, content });
    await beside.getByText('Line 59').waitFor();
    const head = beside.getByText('The first line');
    await head.waitFor();
    const top = async () => (await head.boundingBox())?.y ?? -1;
    expect(await top()).toBeGreaterThan(0);
    expect(await top()).toBeLessThan(200);
    await beside.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    chat.post({ id, channel_id, content: `${content}\nAnd one more` });
    await beside.getByText('And one more').waitFor();
    expect(await top()).toBeLessThan(0);
  });

  test('says what comes in a conversation that is empty', async ({ page, chat }) => {
    const empty = page.getByText(/^Nothing here yet/);
    expect(await empty.isVisible()).toBe(false);
    await page.locator('#places-direct + ul button').click();
    await empty.waitFor();
    chat.post({ channel_id: DIRECT, content: 'A slot is free' });
    await items(page).getByText('A slot is free').waitFor();
    expect(await empty.isVisible()).toBe(false);
  });

  for (const size of SIZES)
    test(`opens a menu where it can be seen, at ${size.width} pixels`, async ({ page, chat }) => {
      await page.setViewportSize(size);
      for (let line = 0; line < 40; line += 1) chat.post({ content: `Line ${line}` });
      const options = Array.from({ length: 12 }, (_, index) => ({
        value: `${index}`,
        label: `Choice ${index}`,
      }));
      const menu = {
        type: ComponentType.StringSelect as const,
        custom_id: 'sort',
        placeholder: 'sort',
        options,
      };
      chat.post({ content: 'Garage', components: [{ type: ComponentType.ActionRow, components: [menu] }] });
      await page.getByRole('combobox', { name: 'sort' }).click();
      const list = await page.getByRole('listbox').boundingBox();
      const composer = await page.locator('#composer').boundingBox();
      const around = await page.locator('#messages').boundingBox();
      if (list === null || composer === null || around === null) throw new Error('something is not there');
      expect(list.y).toBeGreaterThanOrEqual(around.y);
      expect(list.y + list.height).toBeLessThanOrEqual(composer.y);
    });

  test('can be read, buttons that cannot be pressed included', async ({ page, chat }) => {
    const styles = [
      ButtonStyle.Primary,
      ButtonStyle.Secondary,
      ButtonStyle.Success,
      ButtonStyle.Danger,
    ] as const;
    const row = (disabled: boolean) => ({
      type: ComponentType.ActionRow as const,
      components: styles.map((style) => ({
        type: ComponentType.Button as const,
        style,
        disabled,
        label: `${disabled ? 'Off' : 'On'} ${style}`,
        custom_id: `${disabled} ${style}`,
      })),
    });
    chat.post({ content: 'Views', components: [row(true), row(false)] });
    await page.getByRole('button', { name: 'On 1' }).waitFor();
    const contrasts = Contrasts.parse(await page.evaluate(CONTRASTS));
    expect(Object.keys(contrasts)).toHaveLength(8);
    for (const [button, contrast] of Object.entries(contrasts))
      expect(contrast, button).toBeGreaterThanOrEqual(4.5);
  });

  test('needs no mouse: the panel opens, switches and closes, and the focus comes back', async ({
    page,
    chat,
    dataService,
  }) => {
    const opener = page.getByRole('button', { name: 'Make it go wrong' });
    await opener.focus();
    await page.keyboard.press('Enter');
    // From its "Close" button over what happens in the game to the first switch.
    const isThere = (): Promise<boolean> =>
      page.evaluate("document.activeElement.id === 'fault-service-down'");
    for (let tabs = 0; tabs < 12 && !(await isThere()); tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press(' ');
    await page.getByRole('switch', { name: /^It is down/, checked: true }).waitFor();
    expect(dataService.faults.filter(({ on }) => on).map(({ name }) => name)).toEqual(['down']);
    dataService.setFault('down', false);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Make it go wrong' }).waitFor({ state: 'hidden' });
    expect(await opener.evaluate((made) => made === made.ownerDocument.activeElement)).toBe(true);

    await page.locator('#members summary').filter({ hasText: 'bert' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.usedOn.map(({ entry }) => entry)).toEqual(['Driver profile']);
  });

  test('keeps the focus where it is while members and channels change, and after a pick', async ({
    page,
    chat,
  }) => {
    const focused = () => page.evaluate('document.activeElement.closest("button, summary")?.innerText');
    await page.getByRole('button', { name: 'servers' }).focus();
    chat.renameVoiceChannel('Race Control');
    await page.getByText('Race Control').waitFor();
    expect(await focused()).toContain('servers');

    const bert = page.locator('#members summary').filter({ hasText: 'bert' });
    await bert.evaluate((drawn) => drawn.setAttribute('data-before', ''));
    await bert.focus();
    chat.announceMembers();
    await page.locator('#members [data-before]').waitFor({ state: 'detached' });
    expect(await focused()).toContain('bert');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.usedOn).toHaveLength(1);
    expect(await focused()).toContain('bert');
  });

  test('keeps a message that was begun while a command is filled in', async ({ page, dataService }) => {
    const text = page.getByRole('textbox', { name: 'Message #general' });
    await text.fill('Has anybody seen');
    await page.getByRole('button', { name: `Try /profile ${dataService.drivers[0]}` }).click();
    await page.getByRole('combobox', { name: 'player' }).press('Escape');
    await page.keyboard.press('Escape');
    expect(await text.inputValue()).toBe('Has anybody seen');
  });

  test('moves nothing for those who want no motion', async ({ page, chat }) => {
    chat.post({ flags: MessageFlags.Loading });
    await page.getByText('is thinking').waitFor();
    const moving = () => page.evaluate('document.getAnimations().length');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(moving).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(moving).toBe(0);
  });

  test('keeps the channel over a reload, and goes back to the one before', async ({ page }) => {
    const heading = (name: string) => page.getByRole('heading', { name: `# ${name}` }).waitFor();
    await page.getByRole('button', { name: 'servers' }).click();
    await heading('servers');
    await page.reload();
    await heading('servers');
    await page.goBack();
    await heading('general');
    await page.goForward();
    await heading('servers');
  });

  describe('to a reader of German', () => {
    test.override({ accepts: 'de-AT,de;q=0.9,en;q=0.8' });
    test.override('chat', () => createFakeChat(localised));

    test('shows times and commands in their language, and its own words in English', async ({
      page,
      chat,
    }) => {
      chat.post({ content: '<t:1772910000:D> and <t:1772910000:R>' });
      await page.getByText(/März 2026/).waitFor();
      await page.getByText(/^(?:vor|in) \d+ \p{L}+$/u).waitFor();
      await page.getByRole('button', { name: 'Make it go wrong' }).waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('en');
      expect(chat.locales).toEqual(['de']);
      await page.keyboard.type('/profi');
      await page.getByRole('option', { name: '/profil' }).waitFor();
    });

    test('begins a command that is tapped in a message, where its id is the right one', async ({
      page,
      chat,
    }) => {
      chat.post({ content: `Use </profile:${PROFILE}>, not </profile:300000000000000009>` });
      await items(page).getByRole('button', { name: '/profil' }).click();
      await page.getByRole('group', { name: 'Command /profil' }).waitFor();
      expect(await items(page).getByRole('button').count()).toBe(1);
    });

    test('takes a command as it is typed elsewhere: in English, with the options by name', async ({
      page,
      chat,
    }) => {
      await page.keyboard.type('/profile player: Marek Nowicki private:true');
      expect(await page.getByRole('combobox', { name: /^spieler/ }).inputValue()).toBe('Marek Nowicki');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/profil Team: 12:30 privat: true');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => chat.invoked.map(({ options }) => options.map(({ value }) => value)))
        .toEqual([
          ['Marek Nowicki', true],
          ['Team: 12:30', true],
        ]);
    });
  });

  test('asks the bot in another language at a choice, which a reload keeps', async ({ page, chat }) => {
    const language = page.getByRole('combobox', { name: 'Language' });
    await language.selectOption('Français');
    await expect.poll(() => chat.locales).toEqual(['en-GB', 'fr']);
    await page.reload();
    await expect.poll(() => chat.locales).toEqual(['en-GB', 'fr', 'fr']);
    expect(await language.inputValue()).toBe('fr');
  });

  test('fits a phone, its panel too', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('button.wrong').click();
    await page.getByRole('switch').first().waitFor();
    for (const part of ['document.scrollingElement', 'document.getElementById("faults")'])
      expect(await page.evaluate(`${part}.scrollWidth - ${part}.clientWidth`), part).toBe(0);
  });

  test('stays at the end of the messages when the last one takes one more line', async ({ page, chat }) => {
    for (let index = 0; index < 40; index += 1) chat.post({ content: `Message ${index}` });
    await page.getByText('Message 39').waitFor();
    const below = () =>
      page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) =>
        Math.round(scrollHeight - scrollTop - clientHeight))(document.getElementById('messages'))`);
    await expect.poll(below).toBe(0);
    // As a time does that is counted on.
    await page.evaluate("document.querySelector('#message-list li:last-child').style.paddingBottom = '40px'");
    await expect.poll(below).toBe(0);
  });
});
