/** A person can see their stored data, and have it deleted to the last byte. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../support/bot.ts';
import { controls, titledDriver } from '../support/readable.ts';
import { test } from '../support/sandbox.ts';

/** The files of the bot that hold this text anywhere. */
function holding(bot: Pick<Bot, 'folder'>, text: string): readonly string[] {
  return readdirSync(bot.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Waits until no file of the bot holds the text. */
async function cleaned(bot: Pick<Bot, 'folder'>, text: string): Promise<void> {
  await expect.poll(() => holding(bot, text), { timeout: 30_000 }).toEqual([]);
}

test('reports what is stored, as text and as a file, to nobody else', async ({
  bot: _,
  dataService,
  visitor,
  neighbour,
}) => {
  const [driver = ''] = dataService.drivers;
  await visitor.ask('link', { player: driver });
  const told = await visitor.askDirectly('privacy', {});
  expect(told.private).toBe(true);
  expect(told.text).toContain(driver);
  const [file] = told.message.attachments;
  const answer = await fetch(file?.url ?? '');
  expect(await answer.json()).toMatchObject({
    account: visitor.id,
    link: { username: driver, by: 'self', since: expect.stringMatching(/^\d{4}-/) },
    boards: [],
  });
  expect((await neighbour.ask('privacy', {})).text).toMatch(/I store nothing/);
});

test('/forget-me asks once, deletes at once, and every byte of the id in ten minutes', async ({
  bot,
  dataService,
  visitor,
  neighbour,
}) => {
  const [mine = '', theirs = ''] = dataService.drivers;
  await visitor.ask('link', { player: mine });
  await neighbour.ask('link', { player: theirs });
  // A copy of the store is made when it starts, so that there is one with the link in it, which is now old enough.
  await bot.stop();
  await bot.start(31 * 24 * 3600_000);
  await expect
    .poll(() => holding(bot, visitor.id).filter((file) => /\d{4}-\d\d-\d\d/.test(file)))
    .toHaveLength(1);
  expect(holding(bot, visitor.id).length).toBeGreaterThan(0);

  const question = await visitor.ask('forget-me', {});
  expect(question.private).toBe(true);
  expect(holding(bot, visitor.id).length).toBeGreaterThan(0);
  const done = await visitor.press(question.message, 'Delete everything');
  expect(done.text).toMatch(/deleted/);
  expect(controls(done.message)).toEqual([]);
  await cleaned(bot, visitor.id);

  expect((await visitor.ask('privacy', {})).text).toMatch(/I store nothing/);
  expect((await visitor.ask('profile', { picture: false })).text).toMatch(/\/link/);
  expect(titledDriver((await neighbour.ask('profile', { picture: false })).message)).toBe(theirs);
  await bot.stop();
  expect(holding(bot, visitor.id)).toEqual([]);
  expect(holding(bot, neighbour.id).length).toBeGreaterThan(0);
});

test('/forget-me deletes what only a backup still holds', async ({ bot, dataService, visitor }) => {
  await visitor.ask('link', { player: dataService.drivers[0] ?? '' });
  await bot.stop();
  await bot.start(24 * 3600_000);
  const copies = () => holding(bot, visitor.id).filter((file) => /\d{4}-\d\d-\d\d/.test(file));
  await expect.poll(copies).toHaveLength(1);
  await visitor.ask('unlink', {});
  const told = await visitor.ask('forget-me', {});
  expect(told.text).toMatch(/stored nothing.*backups/);
  expect(controls(told.message)).toEqual([]);
  await cleaned(bot, visitor.id);
});

test('/forget-me deletes a link that cannot be read', async ({ bot, visitor }) => {
  {
    using database = new DatabaseSync(join(bot.folder, 'store.sqlite'));
    database
      .prepare(`INSERT INTO documents (collection, key, text) VALUES ('people', ?, '{"link":"no link"')`)
      .run(visitor.id);
    database.prepare("INSERT INTO named VALUES (?, 'people', ?)").run(visitor.id, visitor.id);
  }
  expect(holding(bot, visitor.id)).not.toEqual([]);
  const question = await visitor.ask('forget-me', {});
  await visitor.press(question.message, 'Delete everything');
  await cleaned(bot, visitor.id);
});

test('/forget-me deletes everywhere but in a copy it cannot change, named in the log', async ({
  bot,
  dataService,
  visitor,
}) => {
  await visitor.ask('link', { player: dataService.drivers[0] ?? '' });
  mkdirSync(join(bot.folder, 'store.2026-01-01.sqlite'));
  const question = await visitor.ask('forget-me', {});
  const done = await visitor.press(question.message, 'Delete the rest');
  expect(done.text).toMatch(/I keep what I recorded about /);
  await cleaned(bot, visitor.id);
  expect(bot.output).toContain('store.2026-01-01.sqlite');
  expect(bot.output).not.toContain('"bug"');
});

test('the button deletes only for the one whom it asks', async ({
  bot: _,
  chat,
  dataService,
  neighbour,
  visitor,
}) => {
  await neighbour.ask('link', { player: dataService.drivers[0] ?? '' });
  const customId = `1:forget-me:confirm:${neighbour.id}`;
  const posted = await fetch(`${chat.apiUrl}/v10/channels/${visitor.channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${chat.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      content: 'forged',
      components: [{ type: 1, components: [{ type: 2, style: 4, label: 'x', custom_id: customId }] }],
    }),
  });
  const message = z.object({ id: z.string() }).parse(await posted.json());
  const outcome = await chat.visitor(visitor.id).press(message.id, customId);
  expect(outcome.message?.content).toMatch(/older version/);
  expect((await neighbour.ask('profile', { picture: false })).message.embeds).toHaveLength(1);
});
