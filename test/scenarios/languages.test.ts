/** Everyone reads their own language, with figures as they are written there. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Locale } from 'discord.js';
import { describe, expect } from 'vitest';
import { currentBuild } from '../support/bundle.ts';
import { type Guest, guest, test } from '../support/sandbox.ts';
import { createTranslators } from '../support/translators.ts';

const translatorFor = createTranslators();
const [german, french] = [translatorFor(Locale.German), translatorFor(Locale.French)];

/** The first person in the sandbox's community whose client is set to that language. */
const reading: Readonly<Record<string, number>> = {
  [Locale.Polish]: 1,
  [Locale.Turkish]: 2,
  [Locale.EnglishGB]: 3,
  [Locale.French]: 4,
  [Locale.German]: 5,
  [Locale.Finnish]: 6,
  [Locale.EnglishUS]: 8,
  [Locale.Russian]: 9,
  [Locale.SpanishES]: 10,
};

/** The overview of a driver as that person reads it. */
async function overview(reader: Guest, player: string): Promise<string> {
  const { message } = await reader.ask('profile', { picture: false, player });
  return JSON.stringify([message.embeds, message.components]);
}

test("answers in the reader's language, or in English with figures as at home", async ({
  bot: _,
  chat,
  dataService,
}) => {
  const [driver = ''] = dataService.drivers;
  const readBy = (locale: Locale) => overview(guest(chat, chat.people[reading[locale] ?? -1] ?? ''), driver);
  const money = JSON.stringify(await readBy(Locale.EnglishGB)).match(/Money\W+([\d,]{5,})/)?.[1] ?? '';
  const amount = Number(money.replaceAll(',', ''));
  expect(amount).toBeGreaterThan(9999);
  const written = (locale: Locale): string => new Intl.NumberFormat(locale).format(amount);

  for (const locale of [
    Locale.German,
    Locale.Turkish,
    Locale.Polish,
    Locale.French,
    Locale.Russian,
    Locale.SpanishES,
  ]) {
    const t = translatorFor(locale);
    const told = await readBy(locale);
    expect(told).toContain(t('profile.money'));
    expect(told).toContain(t('card.refresh'));
    expect(told).toContain(written(locale));
    expect(told).not.toMatch(/Money|Refresh/);
  }
  const finnish = await readBy(Locale.Finnish);
  expect(finnish).toContain('Money');
  expect(finnish).toContain(written(Locale.Finnish));
  expect(finnish).not.toContain(money);

  expect(await readBy(Locale.EnglishGB)).toContain('Licences');
  expect(await readBy(Locale.EnglishUS)).toContain('Licenses');
});

test("a guild's language wins over the reader's there, but not in direct messages", async ({
  bot: _,
  visitor: manager,
  neighbour,
  chat,
}) => {
  const reader = guest(chat, chat.people[reading[Locale.German] ?? -1] ?? '');
  expect((await reader.ask('settings', {})).text).toContain(german('settings.heading'));
  await manager.fillIn('settings', { language: 'fr' });
  expect((await reader.ask('settings', {})).text).toContain(french('settings.heading'));
  expect((await neighbour.ask('settings', {})).text).toContain(french('settings.heading'));
  expect((await reader.askDirectly('link', { player: '\n' })).text).toBe(german('input.username'));
  await manager.fillIn('settings', { language: 'reader' });
  expect((await reader.ask('settings', {})).text).toContain(german('settings.heading'));
});

describe('in the list of commands', () => {
  test('each language has its own names, published as in the catalogue', async ({ bot, chat, visitor }) => {
    const puts = () => chat.requests.filter(({ method }) => method === 'PUT').length;
    expect(puts()).toBe(1);
    const settings = chat
      .visitor(visitor.id)
      .commands()
      .find(({ name }) => name === 'settings');
    expect(settings?.name_localizations).toMatchObject({
      de: german.typed('settings'),
      fr: french.typed('settings'),
    });
    await bot.stop();
    await bot.start();
    expect(puts()).toBe(1);
  });
});

test('the bundle has each catalogue in a file of its own, which others do not load', () => {
  const dist = fileURLToPath(currentBuild());
  const files = globSync(['**/*.js', '**/{texts,locales}/*.json'], { cwd: dist });
  const holding = (text: string) => files.filter((file) => readFileSync(dist + file, 'utf8').includes(text));
  // Written without letters that a bundler may escape.
  expect(holding('Nog geen liveborden')).toEqual(['commands/boards/texts/nl.json']);
  expect(holding('Ancora nessuna bacheca live')).toEqual(['commands/boards/texts/it.json']);
  expect(holding('Non conosco ancora il tuo pilota')).toEqual(['commands/people/texts/it.json']);
  const sources = globSync(['src/i18n/locales/*.json', 'commands/*/texts/*.json']);
  expect(sources.length).toBeGreaterThan(30);
  for (const file of sources)
    expect(readFileSync(dist + file, 'utf8'), file).toBe(readFileSync(file, 'utf8'));
});
