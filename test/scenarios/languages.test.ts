/** Everyone reads their own language, with figures as they are written there. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Locale } from 'discord.js';
import { describe, expect } from 'vitest';
import de from '../../src/i18n/locales/de.json' with { type: 'json' };
import es from '../../src/i18n/locales/es.json' with { type: 'json' };
import fr from '../../src/i18n/locales/fr.json' with { type: 'json' };
import pl from '../../src/i18n/locales/pl.json' with { type: 'json' };
import ru from '../../src/i18n/locales/ru.json' with { type: 'json' };
import tr from '../../src/i18n/locales/tr.json' with { type: 'json' };
import { currentBuild } from '../support/bundle.ts';
import { type Guest, guest, test } from '../support/sandbox.ts';

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

  for (const [locale, t] of [
    [Locale.German, de],
    [Locale.Turkish, tr],
    [Locale.Polish, pl],
    [Locale.French, fr],
    [Locale.Russian, ru],
    [Locale.SpanishES, es],
  ] as const) {
    const told = await readBy(locale);
    expect(told).toContain(t.profile.money);
    expect(told).toContain(t.card.refresh);
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
  const german = guest(chat, chat.people[reading[Locale.German] ?? -1] ?? '');
  expect((await german.ask('settings', {})).text).toContain(de.settings.heading);
  await manager.fillIn('settings', { language: 'fr' });
  expect((await german.ask('settings', {})).text).toContain(fr.settings.heading);
  expect((await neighbour.ask('settings', {})).text).toContain(fr.settings.heading);
  expect((await german.askDirectly('link', { player: '\n' })).text).toBe(de.input.username);
  await manager.fillIn('settings', { language: 'reader' });
  expect((await german.ask('settings', {})).text).toContain(de.settings.heading);
});

describe('in the list of commands', () => {
  test('each language has its own names, published as in the catalogue', async ({ bot, chat, visitor }) => {
    const puts = () => chat.requests.filter(({ method }) => method === 'PUT').length;
    expect(puts()).toBe(1);
    const settings = chat
      .visitor(visitor.id)
      .commands()
      .find(({ name }) => name === 'settings');
    expect(settings?.name_localizations).toMatchObject({ de: de.typed.settings, fr: fr.typed.settings });
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
  expect(holding('Wees er snel bij')).toEqual(['features/alerts/texts/nl.json']);
  expect(holding('Sbrigati')).toEqual(['features/alerts/texts/it.json']);
  expect(holding('Bewerk een konvooi')).toEqual(['features/convoys/texts/nl.json']);
  const sources = globSync(['src/i18n/locales/*.json', 'src/features/*/texts/*.json']);
  expect(sources.length).toBeGreaterThan(30);
  for (const file of sources)
    expect(readFileSync(file.replace(/^src\//, dist), 'utf8'), file).toBe(readFileSync(file, 'utf8'));
});
