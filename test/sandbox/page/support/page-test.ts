import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type APIApplicationCommand, ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { type BrowserContext, type ConsoleMessage, chromium, type Page, type Request } from 'playwright-core';
import { test as base } from 'vitest';
import { z } from 'zod';
import { type Assets, readAssets } from '../../../../src/sandbox/page/assets.ts';
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

const LANGUAGE = 'en-GB';
const DESKTOP = { width: 1280, height: 800 };

interface PageParts {
  readonly assets: Assets;
  readonly chat: FakeChat;
  readonly dataService: DataService;
  readonly url: string;
  /** Of the person at the browser, as it tells pages: `fr-CH,fr;q=0.9`. */
  readonly accepts: string;
  readonly browser: BrowserContext;
  /** Its first, in which one test after the other opens its page. */
  readonly tab: Page;
  /** At desktop width. */
  readonly page: Page;
}

/** Over a chat whose bot each test plays itself. */
export const test = base.extend<PageParts>({
  assets: [async ({ task: _ }, use) => use(await readAssets()), { scope: 'file' }],
  chat: async ({ task: _ }, use) => use(createFakeChat(commands)),
  dataService: async ({ task: _ }, use) => {
    const dataService = await startDataService({ hostileNames: false });
    await use(dataService);
    await dataService.close();
  },
  accepts: LANGUAGE,
  url: async ({ assets, chat, dataService }, use) => {
    const page = await startPage({ assets, chat, dataService });
    await use(page.url);
    await page.close();
  },
  browser: [
    async ({ task: _ }, use) => {
      const profile = await mkdtemp(join(tmpdir(), 'pitwall-page-'));
      const context = await chromium.launchPersistentContext(profile, {
        executablePath: CHROMIUM,
        viewport: DESKTOP,
        locale: LANGUAGE,
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
  // A browser takes longer to make a tab than to draw the page in it.
  tab: [async ({ browser }, use) => use(browser.pages()[0] ?? (await browser.newPage())), { scope: 'file' }],
  page: async ({ browser, tab: page, url, accepts }, use) => {
    // In ms. Everything that a test waits for is an event, which comes late on a crowded machine alone.
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    const { problems, stop } = watch(page, url);
    const session = await browser.newCDPSession(page);
    if (accepts !== LANGUAGE) {
      const userAgent = z.string().parse(await page.evaluate('navigator.userAgent'));
      await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: accepts });
    }
    await page.goto(url);
    await page.getByRole('button', { name: 'general' }).waitFor();
    await use(page);
    // The language is the usual one again.
    await session.detach();
    await clear(page);
    stop();
    if (problems.length > 0) throw new Error(`the page had problems: ${problems.join('; ')}`);
  },
});

/** What goes wrong in the page, until it is stopped. */
function watch(page: Page, url: string) {
  const problems: string[] = [];
  const thrown = ({ message }: Error) => void problems.push(message);
  const logged = (line: ConsoleMessage) => void (line.type() === 'error' && problems.push(line.text()));
  // No address outside the machine: asking for one is a failure of every test.
  const asked = (request: Request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== new URL(url).hostname && protocol !== 'about:') problems.push(request.url());
  };
  page.on('pageerror', thrown).on('console', logged).on('request', asked);
  const stop = () => page.off('pageerror', thrown).off('console', logged).off('request', asked);
  return { problems, stop };
}

/** For the next test: the next server may get the port, and so the storage, of this one. */
async function clear(page: Page): Promise<void> {
  await page.evaluate('sessionStorage.clear()');
  await page.unrouteAll();
  await page.mouse.move(-1, -1);
  await page.goto('about:blank');
}
