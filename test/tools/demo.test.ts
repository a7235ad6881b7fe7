import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { features } from '../../commands/subjects.ts';
import type { Push, Snapshot } from '../../src/sandbox/page/protocol.ts';
import { test as base } from '../sandbox/page/support/page-test.ts';
import { fromSources } from '../support/from-sources.ts';
import { listenOnFreePort } from '../support/listen.ts';
import { hasChromium } from '../support/requirements.ts';

const script = fileURLToPath(new URL('../../src/tools/demo.ts', import.meta.url));

/** `npm run demo` as a newcomer starts it, on any free port. */
async function startDemo(port = '0') {
  const child = spawn(process.execPath, [script], {
    env: { ...fromSources, PORT: port },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  const addressed = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const [address] = /http\S+(?=\n)/.exec(printed) ?? [];
    if (address !== undefined) addressed.resolve(address);
  });
  const ended = once(child, 'exit').then(([code]): number | null => code);
  void ended.then((code) => addressed.reject(new Error(`the demo ended with ${code}:\n${printed}`)));
  addressed.promise.catch(() => {});
  return {
    child,
    ended,
    url: addressed.promise,
    lines: () => printed.trim().split('\n'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The first thing that the page is told. */
async function openPage(url: string): Promise<Snapshot> {
  const socket = new WebSocket(url.replace('http', 'ws'), { origin: new URL(url).origin });
  const [data] = await once(socket, 'message');
  socket.terminate();
  const push: Push = JSON.parse(String(data));
  if (push.type !== 'snapshot') throw new Error(`the page is told ${push.type} first`);
  return push.snapshot;
}

/** A port on which somebody else listens already. */
async function occupiedPort() {
  const other = createServer();
  return { port: await listenOnFreePort(other), [Symbol.asyncDispose]: () => other[Symbol.asyncDispose]() };
}

interface Running {
  readonly occupied: number;
  /** Asked to use that port. */
  readonly running: Awaited<ReturnType<typeof startDemo>>;
}

const test = base.extend<Running>({
  occupied: [
    async ({ task: _ }, use) => {
      await using other = await occupiedPort();
      await use(other.port);
    },
    { scope: 'file' },
  ],
  running: [
    async ({ occupied }, use) => {
      await using demo = await startDemo(String(occupied));
      await use(demo);
    },
    { scope: 'file' },
  ],
});

describe('The demo', () => {
  test('takes another port when the given one is in use, and says so', async ({ running, occupied }) => {
    const { port } = new URL(await running.url);
    expect(port).not.toBe(String(occupied));
    const said = `Port ${occupied} is in use: the page has another one. PORT=<number> chooses it.`;
    expect(running.lines()).toContain(said);
  });

  test('refuses an invalid port', async () => {
    const refused = await startDemo('eighty');
    expect(await refused.ended).toBe(78);
  });

  test.skipIf(process.platform !== 'linux')('says in one line that the bot died, and fails', async () => {
    await using demo = await startDemo();
    await demo.url;
    const { pid } = demo.child;
    const [bot] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    expect(bot).toBeGreaterThan(0);
    process.kill(Number(bot), 'SIGKILL');
    expect(await demo.ended).toBe(1);
    expect(demo.lines().at(-1)).toMatch(/^The bot ended \(SIGKILL\)\. Its log: /);
    const [folder = ''] = /\S+$/.exec(demo.lines().at(-1) ?? '') ?? [];
    await rm(folder, { recursive: true });
  });

  test.runIf(hasChromium)('lets a newcomer ask the real bot', async ({ running, tab: page }) => {
    await page.goto(await running.url);
    await page.getByText('Welcome!').waitFor();
    // The first look is the product: the picture of a driver that somebody has asked for, and a board in its channel.
    const picture = page.getByRole('log').getByRole('img', { name: /Chases won/ });
    await picture.first().waitFor();
    expect(await page.getByText(/picture took too long/).count()).toBe(0);
    expect(await picture.first().getAttribute('alt')).toMatch(/^#(?:[1-9]|10) of \d+ by /m);
    await page.getByRole('button', { name: 'live-servers' }).click();
    await page.getByRole('log').getByRole('article').getByText('free').first().waitFor();
    expect(await page.getByText('Only you can see this').count()).toBe(0);
    await page.getByRole('button', { name: 'pitwall-chat' }).click();
    await page
      .getByRole('button', { name: /^Try \/profile/ })
      .first()
      .click();
    const player = await page.getByRole('combobox', { name: 'player' }).inputValue();
    const overview = page.getByRole('log').getByRole('button', { name: 'Overview', exact: true });
    const shown = await overview.count();
    await page.keyboard.press('Enter');
    await expect.poll(() => overview.count()).toBe(shown + 1);
    const garage = page.getByRole('button', { name: 'Garage', exact: true });
    const card = page.getByRole('log').getByRole('article').first();
    await overview.last().click();
    await card.getByText(player).first().waitFor();
    await garage.last().click();
    await card.getByText('Cond.').waitFor();
    await page.keyboard.type('/car vin:zzz');
    await page.keyboard.press('Enter');
    await page.getByText('Only you can see this').waitFor();
    // The history goes on up to now, and a visitor may ask a good deal.
    await page.keyboard.type('/history ');
    await page.keyboard.press('Enter');
    await page
      .getByRole('log')
      .getByText(/^(?:\d+ seconds|1 minute|2 minutes) ago$/)
      .last()
      .waitFor();
    // Everybody's name in the game is known, as after a year of watching them.
    await page.keyboard.type('/link player:Rafa');
    await page.getByRole('option', { name: /Rafa \(racer_rafa\)/ }).waitFor();
    // The suggestions first, then the command.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.type('/budget ');
    await page.keyboard.press('Enter');
    await page
      .getByRole('log')
      .getByText(/\b720\b/)
      .first()
      .waitFor();
  });

  test('holds the channels, the commands and the convoy that the README names', async ({ running }) => {
    const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
    const [tryIt = ''] = /^## Try it.*?(?=^## )/ms.exec(readme) ?? [];
    const planned = /\bconvoy[^.;]*#([\w-]+)/.exec(tryIt)?.[1];
    const channels = [...tryIt.matchAll(/(?<![\w/])#([\w-]+)/g)].map(([, name = '']) => name);
    const commands = [...readme.matchAll(/`\/([a-z-]+)(?=[ `])/g)].map(([, name = '']) => name);
    expect(planned !== undefined).toBe('convoys' in features);
    expect(commands.length).toBeGreaterThan(20);
    const url = await running.url;
    const missing = async () => {
      const snapshot = await openPage(url);
      const offered = snapshot.commands.guild.map(({ untranslated }) => untranslated.split(' ')[0]);
      const rowsIn = (channel: string) => {
        const id = snapshot.channels.find(({ name }) => name === channel)?.id;
        return snapshot.messages.filter(({ channelId }) => channelId === id).map(({ rows }) => rows);
      };
      return [
        ...commands.filter((name) => !offered.includes(name)),
        ...channels.filter((name) => rowsIn(name).length === 0),
        ...(planned === undefined || JSON.stringify(rowsIn(planned)).includes("I'm in") ? [] : ['convoy']),
      ];
    };
    // The bot posts the convoy within a minute of its start.
    await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
  });

  test('prints the address of its page last and no other, and ends on SIGTERM', async ({ running }) => {
    const url = await running.url;
    expect(running.lines().filter((line) => line.includes('://'))).toEqual([url]);
    expect(running.lines().at(-1)).toBe(url);
    expect((await fetch(url)).status).toBe(200);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(running.lines().at(-1)).toBe(url);
  });
});
