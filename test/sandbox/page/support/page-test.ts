import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type APIApplicationCommand,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as base } from 'vitest';
import { z } from 'zod';
import { startPage } from '../../../../src/sandbox/page/server.ts';
import { type DataService, startDataService } from '../../../../src/sandbox/service/data-service.ts';
import { CHROMIUM } from '../../../support/requirements.ts';
import { createFakeChat, type FakeChat } from './fake-chat.ts';

const command = (
  name: string,
  description: string,
  options: APIApplicationCommand['options'],
): APIApplicationCommand => ({
  id: '300000000000000001',
  application_id: '100000000000000009',
  version: '1',
  default_member_permissions: null,
  type: ApplicationCommandType.ChatInput,
  name,
  description,
  ...(options === undefined ? {} : { options }),
});

export const commands: readonly APIApplicationCommand[] = [
  { ...command('Driver profile', '', undefined), type: ApplicationCommandType.User },
  command('profile', "A driver's record", [
    {
      type: ApplicationCommandOptionType.String,
      name: 'player',
      description: 'Username in the game',
      required: true,
      autocomplete: true,
    },
    { type: ApplicationCommandOptionType.Boolean, name: 'private', description: 'Only for me' },
  ]),
  command('car', 'A car by its VIN', [
    {
      type: ApplicationCommandOptionType.String,
      name: 'vin',
      description: 'Five letters or digits',
      required: true,
      autocomplete: true,
    },
  ]),
  command('garage', 'The cars of a driver', [
    {
      type: ApplicationCommandOptionType.String,
      name: 'player',
      description: 'Username in the game',
      required: false,
      autocomplete: true,
    },
  ]),
  command(
    'meet',
    'With more options than a line holds',
    ['where_to_meet', 'number_of_drivers', 'language_to_speak', 'the_last_of_them'].map((name) => ({
      ...{ type: ApplicationCommandOptionType.String as const, name, description: name },
    })),
  ),
  command('board', 'A live board', [
    {
      type: ApplicationCommandOptionType.Subcommand,
      name: 'list',
      description: 'Every board of this server',
      options: [],
    },
  ]),
];

interface Fixtures {
  readonly chat: FakeChat;
  readonly dataService: DataService;
  readonly url: string;
  /** Of the person at the browser, as it tells pages: `fr-CH,fr;q=0.9`. */
  readonly accepts: string;
  readonly browser: BrowserContext;
  /** At desktop width. */
  readonly page: Page;
}

/** Over a chat whose bot each test plays itself. */
export const test = base.extend<Fixtures>({
  chat: async ({ task: _ }, use) => use(createFakeChat(commands)),
  dataService: async ({ task: _ }, use) => {
    const dataService = await startDataService({ hostileNames: false });
    await use(dataService);
    await dataService.close();
  },
  accepts: 'en-GB',
  url: async ({ chat, dataService }, use) => {
    const page = await startPage({ chat, dataService });
    await use(page.url);
    await page.close();
  },
  browser: [
    async ({ task: _ }, use) => {
      const profile = await mkdtemp(join(tmpdir(), 'pitwall-page-'));
      const context = await chromium.launchPersistentContext(profile, {
        executablePath: CHROMIUM,
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      });
      await use(context);
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
    { scope: 'file' },
  ],
  page: async ({ browser, url, accepts }, use) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(8000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    // No address outside the machine: asking for one is a failure of every test.
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (hostname !== new URL(url).hostname && protocol !== 'about:') problems.push(request.url());
    });
    if (accepts !== 'en-GB') {
      const session = await browser.newCDPSession(page);
      const userAgent = z.string().parse(await page.evaluate('navigator.userAgent'));
      await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: accepts });
    }
    await page.goto(url);
    await page.getByRole('button', { name: 'general' }).waitFor();
    await use(page);
    await page.close();
    if (problems.length > 0) throw new Error(`the page had problems: ${problems.join('; ')}`);
  },
});
