import { readFileSync } from 'node:fs';
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  TextInputStyle,
} from 'discord.js';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { hasChromium } from '../../support/requirements.ts';
import { ALICE, BERT, DIRECT } from './support/fake-chat.ts';
import { test } from './support/page-test.ts';

type Rows = APIActionRowComponent<APIComponentInMessageActionRow>[];

/** 800 pixels wide. */
const picture = readFileSync(new URL('../../pictures/golden/lines.png', import.meta.url));

const buttons = (...labels: string[]): Rows => [
  {
    type: ComponentType.ActionRow,
    components: labels.map((label) => ({
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      label,
      custom_id: `go:${label}`,
    })),
  },
];

/** As WCAG defines it, of a colour in sRGB. */
function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Says on a message that it answers this command of the visitor's. */
const answering = (name: string) => ({
  interaction: {
    id: '1',
    type: 2 as const,
    name,
    user: { id: ALICE, username: 'alice', discriminator: '0', global_name: null, avatar: null },
  },
});

describe.runIf(hasChromium)('The page', () => {
  test('shows a form, and sends what is filled in; a refused form stays on the screen', async ({
    page,
    chat,
  }) => {
    let arrives = false;
    chat.script = {
      invoke: async () => 'form',
      form: {
        custom_id: 'x',
        title: 'Set up',
        components: [
          {
            type: ComponentType.Label,
            label: 'Language',
            description: 'Of my answers',
            component: {
              ...{ type: ComponentType.StringSelect, custom_id: 'language', required: true },
              ...{ min_values: 1, max_values: 1 },
              options: [
                { label: 'English', value: 'en', default: true },
                { label: 'Deutsch', value: 'de' },
              ],
            },
          },
          {
            type: ComponentType.Label,
            label: 'Servers',
            component: {
              ...{ type: ComponentType.StringSelect, custom_id: 'servers', required: false },
              ...{ min_values: 0, max_values: 2 },
              options: [
                { label: 'One', value: 'one', default: true },
                { label: 'Two', value: 'two' },
              ],
            },
          },
          {
            type: ComponentType.Label,
            label: 'Notes',
            component: {
              ...{ type: ComponentType.TextInput, custom_id: 'notes', required: false },
              ...{ style: TextInputStyle.Paragraph, value: 'First line' },
            },
          },
          {
            type: ComponentType.Label,
            label: 'Distances',
            component: {
              ...{ type: ComponentType.RadioGroup, custom_id: 'distances', required: true },
              options: [
                { label: 'Kilometres', value: 'km', default: true },
                { label: 'Miles', value: 'miles', description: 'As on the signs' },
              ],
            },
          },
          {
            type: ComponentType.Label,
            label: 'Tell everybody',
            component: { type: ComponentType.Checkbox, custom_id: 'tell', default: false, required: false },
          },
        ],
      },
      submit: async () => (arrives ? 'replied' : 'failed'),
    };
    await page.keyboard.type('/profile player:x');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set up' });
    const language = dialog.getByLabel('Language');
    await expect.poll(() => language.inputValue()).toBe('en');
    await language.selectOption('Deutsch');
    const servers = dialog.getByRole('group', { name: 'Servers' });
    expect(await servers.getByLabel('One').isChecked()).toBe(true);
    await servers.getByLabel('Two').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Notes').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Second line');
    const miles = dialog.getByRole('group', { name: 'Distances' }).getByRole('radio', { name: 'Miles' });
    await dialog.getByRole('radio', { name: 'Kilometres' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await miles.isChecked()).toBe(true);
    await dialog.getByLabel('Tell everybody').focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor();
    expect(await language.inputValue()).toBe('de');
    arrives = true;
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.waitFor({ state: 'detached' });
    const filled = {
      language: 'de',
      servers: ['one', 'two'],
      notes: 'First line\nSecond line',
      distances: ['miles'],
      tell: 'true',
    };
    expect(chat.submitted).toEqual(Array(2).fill(filled));
  });

  test('takes a command from the keyboard alone: list, suggestions, reply', async ({ page, chat }) => {
    chat.script = {
      complete: async ([option]) => [String(option?.value), 'speedy', 'speedster'],
      invoke: async () => {
        chat.post({ content: 'Here is **speedy**', ...answering('profile') });
        return 'replied';
      },
    };
    await page.keyboard.type('/pro');
    const list = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await expect.poll(() => list.allInnerTexts()).toEqual(["/profile\nA driver's record · player private?"]);
    await page.keyboard.press('Tab');
    await page.keyboard.type('spe');
    await page.getByRole('option', { name: 'spe', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('combobox', { name: 'player' }).inputValue()).toBe('speedy');
    await page.keyboard.press('Enter');
    const reply = page.getByRole('log').getByRole('listitem').last();
    await reply.locator('strong').waitFor();
    expect(await reply.innerText()).toContain('Here is speedy');
    expect(await reply.locator('.use').innerText()).toMatch(/alice\s+used\s+\/profile/);
    expect(chat.invoked).toEqual([{ command: 'profile', options: [{ name: 'player', value: 'speedy' }] }]);
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  });

  for (const width of [390, 1280])
    test(`at ${width} pixels, an alert in a direct chat is announced and answered`, async ({
      page,
      chat,
    }) => {
      chat.script = {
        press: async (messageId) => {
          chat.edit(messageId, { content: 'No more of these.', components: [] });
          return 'updated';
        },
      };
      await page.setViewportSize({ width, height: 844 });
      chat.post({ channel_id: `${DIRECT}${BERT}`, content: 'For Bert' });
      chat.post({ channel_id: DIRECT, content: '🅿️ One: 2 free slots', components: buttons('Stop') });
      const drawer = page.getByRole('button', { name: 'Channels (new messages)' });
      if (width < 900) await drawer.click();
      const entry = page.getByRole('list', { name: 'Direct messages' }).getByRole('button');
      await expect.poll(async () => (await entry.innerText()).trim()).toBe('@Pitwall\n(new messages)');
      const weight = `getComputedStyle(document.getElementById('channel-${DIRECT}')).fontWeight`;
      expect(await page.evaluate(weight)).toBe('600');
      await entry.click();
      const said = page.getByRole('log').getByRole('listitem');
      await expect.poll(() => said.count()).toBe(1);
      expect(await said.innerText()).toContain('🅿️ One: 2 free slots');
      expect(await page.title()).toMatch(/^@Pitwall · /);
      await said.getByRole('button', { name: 'Stop' }).click();
      await expect.poll(() => said.innerText()).toContain('No more of these.');
      expect(await page.locator(`#channel-${DIRECT}`).textContent()).toBe('@Pitwall');
      expect(await drawer.count()).toBe(0);
      expect(await page.getByRole('complementary', { name: 'Members' }).isVisible()).toBe(false);
    });

  test('offers in the conversation with the bot what works there, and sends it there', async ({
    page,
    chat,
  }) => {
    await page.getByRole('button', { name: 'Pitwall', exact: true }).click();
    await page.keyboard.type('/');
    const offered = page.getByRole('listbox', { name: 'Commands' }).locator('.item-label');
    await expect.poll(() => offered.allInnerTexts()).toEqual(['/car', '/garage', '/meet', '/profile']);
    await page.keyboard.type('car vin:AB12C');
    await page.keyboard.press('Enter');
    const options = [{ name: 'vin', value: 'AB12C' }];
    await expect.poll(() => chat.invoked).toEqual([{ directly: true, command: 'car', options }]);
    await page.getByRole('button', { name: 'general' }).click();
    await page.keyboard.type('/');
    await expect.poll(() => offered.allInnerTexts()).toContain('/board list');
  });

  test('takes the highlighted choice with the send button, as Enter does', async ({ page, chat }) => {
    chat.script = { complete: async () => ['speedy', 'speedster'], invoke: async () => 'replied' };
    const send = page.getByRole('button', { name: 'Send' });
    await page.keyboard.type('/prof');
    await page.getByRole('option', { name: '/profile' }).waitFor();
    await send.click();
    const player = page.getByRole('combobox', { name: 'player' });
    await player.pressSequentially('spe');
    await page.getByRole('option', { name: 'speedy', selected: true }).waitFor();
    await send.click();
    expect(await player.inputValue()).toBe('speedy');
    await send.click();
    const options = [{ name: 'player', value: 'speedy' }];
    await expect.poll(() => chat.invoked).toEqual([{ command: 'profile', options }]);
    expect(chat.said).toEqual([]);
  });

  test('sends what is typed where a suggestion calls the same otherwise', async ({ page, chat }) => {
    const complete = async () => [{ name: '[TC] Speedy » (speedy)', value: 'speedy' }];
    chat.script = { complete, invoke: async () => 'replied' };
    await page.keyboard.type('/profile speedy');
    await page.getByRole('option', { name: '[TC] Speedy', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    const options = [{ name: 'player', value: 'speedy' }];
    await expect.poll(() => chat.invoked).toEqual([{ command: 'profile', options }]);
  });

  test('makes a mention of a name that is typed after an @', async ({ page, chat }) => {
    await page.keyboard.type('@Bert, @alice: mail x@bert, ask @bertram');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.said).toEqual([`<@${BERT}>, <@${ALICE}>: mail x@bert, ask @bertram`]);
    await expect
      .poll(() => page.getByRole('log').locator('.mention').allInnerTexts())
      .toEqual(['@bert', '@alice']);
  });

  test('shows its whole placeholder in an empty field on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const overhang = `[...document.querySelectorAll('textarea')].map((field) => {
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = getComputedStyle(field).font;
      // As long as the longest channel of the demo.
      return pen.measureText(field.placeholder.replace('#general', '#announcements')).width - field.clientWidth;
    })`;
    expect(
      z
        .array(z.number().max(0))
        .length(1)
        .parse(await page.evaluate(overhang)),
    ).toHaveLength(1);
  });

  test('keeps the words above a card whole, however long the names', async ({ page, chat }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const name = 'A person with quite a long name';
    const user = { id: '7', username: name, discriminator: '0', global_name: null, avatar: null };
    const interaction = { id: '1', type: 2 as const, name: 'profile', user };
    chat.post({ content: 'Here', interaction });
    const use = page.locator('.use');
    await use.waitFor();
    const height = await use.evaluate((line) => line.getBoundingClientRect().height);
    expect(height).toBeLessThan(25);
  });

  test('writes initials that can be read on every colour', async ({ page }) => {
    const colours = `Array.from({ length: 72 }, (_, step) => {
      const face = document.querySelector('.avatar');
      face.style.setProperty('--hue', String(step * 5));
      const { color, backgroundColor } = getComputedStyle(face);
      return [color, backgroundColor].map((one) => one.match(/\\d+/g).slice(0, 3).map(Number));
    })`;
    const Rgb = z.tuple([z.number(), z.number(), z.number()]);
    for (const [ink, paper] of z.array(z.tuple([Rgb, Rgb])).parse(await page.evaluate(colours)))
      expect((luminance(ink) + 0.05) / (luminance(paper) + 0.05), String(paper)).toBeGreaterThanOrEqual(4.5);
  });

  test('marks a required option that is missing, and sends nothing', async ({ page, chat }) => {
    await page.keyboard.type('/profile ');
    await page.getByRole('combobox', { name: 'player' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('player is required').waitFor();
    expect(await page.getByRole('combobox', { name: 'player' }).getAttribute('aria-invalid')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message #general' }).waitFor();
    expect(chat.invoked).toEqual([]);
  });

  test('lists all there is to pick from where the text fits none of it, and picks none', async ({
    page,
    chat,
  }) => {
    await page.keyboard.type('/profile speedy private:perhaps');
    const list = page.getByRole('listbox', { name: /^private: / }).getByRole('option');
    await expect.poll(() => list.allInnerTexts()).toEqual(['True', 'False']);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('private: pick one from the list').waitFor();
    expect(await page.getByRole('combobox', { name: 'private' }).inputValue()).toBe('perhaps');
    expect(await list.allInnerTexts()).toEqual(['True', 'False']);
    expect(chat.invoked).toEqual([]);
  });

  test('sends a pasted command, an optional option and a subcommand as what they are', async ({
    page,
    chat,
  }) => {
    await page
      .getByRole('textbox', { name: 'Message #general' })
      .fill('/profile player:Café Racer private:true');
    await page.getByRole('combobox', { name: 'private' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('/board list ');
    await page.getByRole('group', { name: 'Command /board list' }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => chat.invoked)
      .toEqual([
        {
          command: 'profile',
          options: [
            { name: 'player', value: 'Café Racer' },
            { name: 'private', value: true },
          ],
        },
        { command: 'board list', options: [] },
      ]);
  });

  test('opens the option that has suggestions although it may be left empty', async ({ page, chat }) => {
    chat.script = { complete: async () => ['speedy'] };
    const player = page.getByRole('combobox', { name: 'player' });
    await page.keyboard.type('/garage');
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: 'speedy' }).waitFor();
    await page.keyboard.press('Enter');
    await player.waitFor({ state: 'detached' });
    await page.keyboard.type('/garage');
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: 'speedy' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await player.waitFor({ state: 'detached' });
    expect(chat.invoked).toEqual([
      { command: 'garage', options: [] },
      { command: 'garage', options: [{ name: 'player', value: 'speedy' }] },
    ]);
  });

  test('leaves the composer empty after a command without options', async ({ page, chat }) => {
    const text = page.getByRole('textbox', { name: 'Message #general' });
    for (const rounds of [1, 2]) {
      await page.keyboard.type('/board list');
      await page.keyboard.press('Tab');
      await page.getByRole('group', { name: 'Command /board list' }).waitFor();
      await page.keyboard.press('Enter');
      await text.waitFor();
      expect(await text.inputValue()).toBe('');
      await expect.poll(() => chat.invoked).toHaveLength(rounds);
    }
  });

  test('never lets an older suggestion be picked for what was typed later', async ({ page, chat }) => {
    const late = Promise.withResolvers<string[]>();
    chat.script = {
      complete: async ([option]) => (option?.value === 'new' ? late.promise : ['old one']),
    };
    await page.keyboard.type('/profile ');
    await page.getByRole('option', { name: 'old one' }).waitFor();
    await page.keyboard.type('new');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.invoked[0]?.options).toEqual([{ name: 'player', value: 'new' }]);
    late.resolve([]);
  });

  test('says that the application did not respond, where a command was not answered', async ({
    page,
    chat,
  }) => {
    await page.keyboard.type('/car AB12C');
    await page.keyboard.press('Enter');
    const row = page.getByRole('log').getByRole('listitem').last();
    await row.getByText('The application did not respond').waitFor();
    await row.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByRole('log').getByRole('listitem').count()).toBe(0);
    expect(chat.invoked[0]?.options).toEqual([{ name: 'vin', value: 'AB12C' }]);
  });

  test('shows who is thinking until the reply is there', async ({ page, chat }) => {
    const { id } = chat.post({ ...answering('profile'), flags: MessageFlags.Loading });
    await page.getByText('Pitwall is thinking…').waitFor();
    chat.edit(id, { content: 'Done thinking', flags: MessageFlags.Crossposted });
    await page.getByText('Done thinking').waitFor();
    expect(await page.getByText('is thinking').count()).toBe(0);
  });

  test('presses a button: busy, then the changed message with the focus where it was', async ({
    page,
    chat,
  }) => {
    const answered = Promise.withResolvers<void>();
    chat.script = {
      press: async (messageId) => {
        await answered.promise;
        chat.edit(messageId, { content: 'Second page' });
        return 'updated';
      },
    };
    chat.post({ content: 'First page', components: buttons('Overview', 'Garage') });
    const garage = page.getByRole('button', { name: 'Garage' });
    await garage.focus();
    await page.keyboard.press('Enter');
    await page.locator('button[aria-busy=true]').waitFor();
    answered.resolve();
    await page.getByText('Second page').waitFor();
    await expect.poll(() => page.locator('button[aria-busy=true]').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Garage');
    expect(chat.pressed).toEqual([{ customId: 'go:Garage', values: [] }]);
  });

  test('says under the message that a press was not answered', async ({ page, chat }) => {
    chat.post({ content: 'Card', components: buttons('Refresh') });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('The application did not respond').waitFor();
  });

  test('picks from a menu with the keyboard', async ({ page, chat }) => {
    chat.script = { press: async () => 'updated' };
    const options = ['km', 'model', 'condition'].map((value) => ({ value, label: `By ${value}` }));
    const menu: Rows[number] = {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.StringSelect, custom_id: 'sort', placeholder: 'sort', options }],
    };
    chat.post({ content: 'Garage', components: [menu] });
    await page.getByRole('combobox', { name: 'sort' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.pressed).toEqual([{ customId: 'sort', values: ['model'] }]);
  });

  test('switches the faults of both servers and shows them on every open page', async ({
    page,
    chat,
    dataService,
    browser,
    url,
  }) => {
    const other = await browser.newPage();
    await other.goto(url);
    await page.getByRole('button', { name: 'Make it go wrong' }).click();
    await page.getByRole('switch', { name: /^It is down/ }).click();
    await page.getByText('Discord, for people who write bots').click();
    await page.getByRole('switch', { name: /^Commands reach the bot/ }).click();
    await page.locator('[aria-checked=true]').nth(1).waitFor();
    expect(dataService.faults.filter(({ on }) => on).map(({ name }) => name)).toEqual(['down']);
    expect(chat.faults.filter(({ on }) => on).map(({ name }) => name)).toEqual(['late-interactions']);
    await other.getByText('2 on').waitFor();
    await other.close();
    dataService.setFault('down', false);
  });

  test('makes what happens once happen at a press, and says that it has', async ({ page, chat }) => {
    await page.getByRole('button', { name: 'Make it go wrong' }).click();
    const said = page.getByRole('status').filter({ hasText: 'Done: Cut the live connection once' });
    await page.getByText('Discord, for people who write bots').click();
    await page.getByRole('button', { name: /^Cut the live connection once/ }).click();
    await said.waitFor();
    expect(chat.drops).toBe(1);
    expect(await page.getByRole('switch', { name: /^Cut/ }).count()).toBe(0);
    await page.getByRole('button', { name: '10 minutes' }).click();
    await page.getByRole('status').filter({ hasText: 'Done: 10 minutes' }).waitFor();
  });

  test('lets time pass in the game, and counts what the bot asked', async ({
    page,
    dataService,
    browser,
    url,
  }) => {
    const played = (): number =>
      dataService.records().reduce((sum, { figures }) => sum + (figures['gaming_time_total'] ?? 0), 0);
    const asked = new URLSearchParams({ key: dataService.key, username: dataService.drivers[0] ?? '' });
    await fetch(`${dataService.url}/drivesim/profile/get?${asked}`);
    const before = played();
    await page.getByRole('button', { name: 'Make it go wrong' }).click();
    await page.getByRole('button', { name: '10 minutes' }).click();
    // Of a driver at least, for ten minutes: how many there are depends on the hour.
    await expect.poll(played).toBeGreaterThanOrEqual(before + 9 * 60);
    const later = await browser.newPage();
    await later.goto(url);
    await later.getByRole('button', { name: 'Make it go wrong' }).click();
    await later.getByText(/so far: \d+$/).waitFor();
    const counted = Number(/\d+$/.exec(await later.locator('.requests').innerText())?.[0]);
    expect(counted).toBe(dataService.requests.length);
    expect(counted).toBeGreaterThan(0);
    await later.close();
  });

  test('lets a visitor give a driver a name, kept while the panel changes', async ({ page, dataService }) => {
    const [, driver = ''] = dataService.drivers;
    await page.getByRole('button', { name: 'Make it go wrong' }).click();
    await page.getByRole('combobox', { name: 'Driver' }).selectOption(driver);
    await page.getByRole('textbox', { name: 'Name in the game' }).fill('pw-4k7q');
    await page.getByRole('switch', { name: 'Slow' }).click();
    await page.getByRole('switch', { name: 'Slow', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Take this name and drive' }).click();
    const said = page.getByRole('status').filter({ hasText: `${driver} drives on ` });
    await said.waitFor();
    expect(await said.innerText()).toMatch(/ on (?:One|Two|Three|Four) as pw-4k7q\.$/);
  });

  test('makes things happen in the game, and says which', async ({ page, dataService }) => {
    const ask = async (path: string, query: Record<string, string>): Promise<unknown> => {
      const parameters = new URLSearchParams({ key: dataService.key, ...query });
      return (await fetch(`${dataService.url}/drivesim/${path}?${parameters}`)).json();
    };
    const said = page.getByRole('status').filter({ hasText: /\.$/ });
    await page.getByRole('button', { name: 'Make it go wrong' }).click();

    await page.getByRole('button', { name: 'Fill a server' }).click();
    const full = /^Server (\w+) is full: (\d+) drivers, for at least 10 minutes\.$/;
    await said.filter({ hasText: full }).waitFor();
    const [, server = '', drivers = ''] = full.exec(await said.innerText()) ?? [];
    expect(await ask('live/status', { server: server.toLowerCase() })).toMatchObject({
      guests: Number(drivers),
      maxGuests: Number(drivers),
    });

    const [vin = ''] = dataService.vins;
    await page.getByRole('button', { name: 'Put a car on sale' }).click();
    await said.filter({ hasText: ` sells ${vin} for ` }).waitFor();
    const price = Number(/for ([\d,]+)\.$/.exec(await said.innerText())?.[1]?.replaceAll(',', ''));
    expect(await ask('carinfo', { vin })).toMatchObject({ isOnMarket: true, marketPrice: price });

    const [username = ''] = dataService.drivers;
    await page.getByRole('button', { name: 'Let a licence expire' }).click();
    await said.filter({ hasText: `${username} has lost a licence: ` }).waitFor();
    const name = / lost a licence: (.+) has expired\.$/.exec(await said.innerText())?.[1];
    const { licenses } = z
      .object({ licenses: z.array(z.object({ name: z.string(), expired: z.boolean() })) })
      .parse(await ask('profile/get', { username, licenses: '1' }));
    expect(licenses).toContainEqual({ name, expired: true });

    // Another switch draws the panel anew: what has happened stays.
    await page.getByRole('switch', { name: /^People take names/ }).click();
    await page.getByRole('switch', { name: /^People take names/, checked: true }).waitFor();
    expect(dataService.drivers).toContain('__proto__');
    expect(await said.innerText()).toContain(`${name} has expired`);
  });

  test('fits a phone: nothing wider than the screen, channels and members behind buttons', async ({
    page,
    chat,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const long = 'Wolkenkratzer'.repeat(30);
    chat.post({
      content: `${long}\n\`\`\`\n${long}\n\`\`\``,
      embeds: [
        {
          title: long,
          fields: ['a', 'b', 'c'].map((name) => ({ name, value: long, inline: true })),
        },
      ],
      components: buttons(...Array.from({ length: 5 }, (_, index) => `Button number ${index}`)),
    });
    await page.getByRole('button', { name: 'Button number 4' }).waitFor();
    await page.getByRole('textbox', { name: 'Message #general' }).fill('/meet ');
    await page.getByRole('button', { name: '+ the_last_of_them' }).waitFor();
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('document.getElementById("messages").scrollWidth')).toBe(390);
    const members = page.getByRole('complementary', { name: 'Members' });
    await members.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Members' }).click();
    await members.getByText('bert').waitFor();
    // Somebody's menu is a key away.
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await page.keyboard.press('Escape');
    await members.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Channels' }).click();
    await page.getByRole('button', { name: 'servers' }).click();
    await page.getByRole('heading', { name: '# servers' }).waitFor();
  });

  test('draws hostile text to the letter, wherever a message can hold text', async ({ page, chat }) => {
    const hostile = `<img src=x onerror=alert(1)><script>alert(2)</script>"'&lt;`;
    const marked = hostile.replaceAll(/[<>()]/g, '\\$&');
    chat.post({
      content: marked,
      author: { ...chat.post({}).author, username: hostile },
      embeds: [
        {
          title: marked,
          description: `\`\`\`ansi\n\u001b[31m${hostile}\n\`\`\`\`${hostile}\` [x](javascript:alert(4))`,
          fields: [{ name: marked, value: marked }],
        },
      ],
      components: buttons(hostile),
    });
    await page.getByRole('button', { name: hostile }).waitFor();
    const message = page.getByRole('log').getByRole('listitem').last();
    for (const place of ['.content', '.embed-title', 'dt', 'dd', 'pre'])
      expect(await message.locator(place).innerText(), place).toContain(hostile);
    expect(await page.locator('#messages :is(img, script, iframe, a[href^=javascript])').count()).toBe(0);
  });

  test("shows others' messages, edits and deletions, and private replies to their reader", async ({
    page,
    chat,
    browser,
    url,
  }) => {
    const other = await browser.newPage();
    await other.goto(`${url}?as=${BERT}`);
    await other.getByRole('button', { name: 'general' }).waitFor();
    const { id } = chat.post({ content: 'For everyone' });
    chat.post({ content: 'For alice' }, ALICE);
    await page.getByText('For alice').waitFor();
    await page.getByText('Only you can see this').waitFor();
    chat.edit(id, { content: 'For everyone, once more' });
    await page.getByText('once more').waitFor();
    await other.getByText('once more').waitFor();
    expect(await other.getByText('For alice').count()).toBe(0);
    chat.remove(id);
    await expect.poll(() => page.getByText('once more').count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'general' }).waitFor();
    expect(await page.getByText('For alice').count()).toBe(0);
    await other.close();
  });

  test('shows a voice channel as it changes, and leaves what is being typed', async ({ page, chat }) => {
    const voice = page.locator('#channels').getByRole('listitem').filter({ hasText: 'Voice channel' });
    await voice.waitFor();
    expect(await voice.getByRole('button').count()).toBe(0);
    await page.keyboard.type('/profile spe');
    chat.renameVoiceChannel('Race Control');
    await voice.getByText('Race Control').waitFor();
    expect(await page.getByRole('combobox', { name: 'player' }).inputValue()).toBe('spe');
  });

  test('marks a channel with a new message, and none where one was edited', async ({ page, chat }) => {
    const servers = chat.channels[1]?.id ?? '';
    const { id } = chat.post({ channel_id: servers, content: 'A board' });
    const channel = page.getByRole('button', { name: /^servers/ });
    await page.getByRole('button', { name: 'servers (new messages)' }).click();
    await page.getByRole('button', { name: 'general' }).click();
    chat.edit(id, { content: 'The board, later' });
    chat.post({ content: 'And here' });
    await page.getByText('And here').waitFor();
    expect(await channel.innerText()).not.toContain('new messages');
  });

  test('offers drivers and cars to try, ready to be sent', async ({ page, chat, dataService }) => {
    const [driver = ''] = dataService.drivers;
    await page.getByRole('button', { name: `Try /profile ${driver}` }).click();
    expect(await page.getByRole('combobox', { name: 'player' }).inputValue()).toBe(driver);
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.invoked[0]?.options).toEqual([{ name: 'player', value: driver }]);
  });

  test('lists slash commands, each subcommand as one, and no command of a context menu', async ({ page }) => {
    await page.keyboard.type('/');
    const list = page.getByRole('listbox', { name: 'Commands' }).locator('.item-label');
    await expect
      .poll(() => list.allInnerTexts())
      .toEqual(['/board list', '/car', '/garage', '/meet', '/profile']);
  });

  test('opens what a bot offers on a member, and what it answers there', async ({ page, chat }) => {
    chat.script = {
      invoke: async () => {
        chat.post({ content: 'Bert drives', ...answering('Driver profile') }, ALICE);
        return 'replied';
      },
    };
    const entry = page.getByRole('button', { name: 'Apps: Driver profile (bert)' });
    expect(await entry.isVisible()).toBe(false);
    await page.locator('#members summary').filter({ hasText: 'bert' }).click();
    await entry.click();
    const reply = page.getByRole('log').getByRole('listitem').last();
    await reply.getByText('Bert drives').waitFor();
    expect(await reply.locator('.use').innerText()).toMatch(/alice\s+used\s+Driver profile/);
    expect(chat.usedOn).toEqual([{ entry: 'Driver profile', personId: BERT }]);
    expect(await entry.isVisible()).toBe(false);
  });

  test('shows the files of a message by name, to be opened', async ({ page, chat }) => {
    const url = 'http://127.0.0.1:1/attachments/1/me.json';
    chat.post({
      content: 'Here',
      attachments: [{ id: '1', filename: 'me.json', size: 12, url, proxy_url: url }],
    });
    const link = page.getByRole('log').getByRole('link', { name: 'me.json' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(url);
  });

  test('shows a picture with its alt text, at its size or as wide as fits', async ({ page, chat }) => {
    const url = `${chat.apiUrl}/week.png`;
    await page.route(url, (route) => route.fulfill({ contentType: 'image/png', body: picture }));
    chat.post({
      embeds: [{ title: 'Drivers' }],
      attachments: [
        {
          ...{ id: '1', filename: 'week.png', size: picture.length, url, proxy_url: url },
          ...{ width: 800, height: 472, description: 'Most drivers: 142 on Sunday' },
        },
      ],
    });
    const image = page.getByRole('log').getByRole('img', { name: 'Most drivers: 142 on Sunday' });
    // The page's own rules let it load.
    await expect
      .poll(() => image.evaluate((made) => ('naturalWidth' in made ? made.naturalWidth : 0)))
      .toBe(800);
    expect((await image.boundingBox())?.width).toBe(550);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeLessThan(390);
    const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
    expect(Math.abs(width / height - 800 / 472)).toBeLessThan(0.02);
  });

  test('sets inline fields three in a row, and one under the other on a phone', async ({ page, chat }) => {
    const field = (name: string, inline: boolean) => ({ name, value: `value of ${name}`, inline });
    chat.post({
      embeds: [
        { fields: [...['a', 'b', 'c', 'd', 'e'].map((name) => field(name, true)), field('f', false)] },
      ],
    });
    const rows = async (): Promise<string[]> => {
      const lines = new Map<number, string>();
      for (const term of await page.locator('dt').all()) {
        const { y } = (await term.boundingBox()) ?? { y: -1 };
        lines.set(y, (lines.get(y) ?? '') + (await term.innerText()));
      }
      return [...lines.values()];
    };
    await page.getByText('value of f').waitFor();
    expect(await rows()).toEqual(['abc', 'de', 'f']);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(rows).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
