/** Fair shares of the budget, and what the bot tells of it and of itself. */
import type { APIMessage } from 'discord.js';
import { describe, expect } from 'vitest';
import { guest, questions, test } from '../support/sandbox.ts';

function field({ embeds }: APIMessage, name: RegExp): string {
  return embeds[0]?.fields?.find((one) => name.test(one.name))?.value ?? '';
}

describe('a flood by one person', () => {
  test('learns privately when the next look-up is possible; others are served', async ({
    bot: _,
    dataService,
    visitor,
    neighbour,
  }) => {
    const [first = '', ...rest] = dataService.drivers;
    const before = Math.floor(Date.now() / 1000);
    for (const player of [first, ...rest.slice(0, 4)]) {
      const answer = await visitor.ask('profile', { picture: false, player });
      expect(answer.text).toContain('Overview');
    }
    expect(questions(dataService)).toHaveLength(5);

    const [sixth = ''] = rest.slice(4);
    const refused = await visitor.ask('profile', { picture: false, player: sixth });
    expect(refused).toMatchObject({ private: true, acknowledged: 'replied' });
    expect(refused.text).toMatch(/your share/);
    expect(refused.text).not.toMatch(/my side|no driver|isn't answering/i);
    const seconds = Number(/Next lookup in (\d+) seconds?\./.exec(refused.text)?.[1]);
    expect(Date.now() / 1000 + seconds).toBeGreaterThanOrEqual(before + 30);
    expect(seconds).toBeLessThanOrEqual(31);
    expect(questions(dataService)).toHaveLength(5);

    const cached = await visitor.ask('profile', { picture: false, player: first });
    expect(cached.text).toContain('Overview');
    const another = await neighbour.ask('profile', { picture: false, player: sixth });
    expect(another.text).toContain('Overview');
    expect(questions(dataService)).toHaveLength(6);
    expect((await visitor.ask('profile', { picture: false, player: sixth })).text).toContain('Overview');
  });

  test('of many at once costs five requests', async ({ bot: _, dataService, visitor }) => {
    const names = dataService.drivers.slice(0, 7);
    const answers = await Promise.all(
      names.map((player) => visitor.ask('profile', { picture: false, player })),
    );
    expect(answers.filter(({ text }) => text.includes('Overview'))).toHaveLength(5);
    expect(questions(dataService)).toHaveLength(5);
  });
});

test('/budget tells everyone what is left, and managers what is used, privately', async ({
  bot: _,
  dataService,
  visitor: manager,
  neighbour,
}) => {
  // The one request is behind the line below the bot's name.
  const brief = await neighbour.ask('budget', {});
  expect([brief.private, brief.message.embeds[0]?.fields ?? []]).toEqual([true, []]);
  expect(brief.text).toMatch(/Open: 7\d\d requests left/);
  const fresh = await manager.ask('budget', {});
  expect(fresh.private).toBe(true);
  expect(field(fresh.message, /^Used$/)).toMatch(/1 of 720/);
  expect(fresh.text).toMatch(/720 requests/);

  for (const player of dataService.drivers.slice(0, 3))
    await neighbour.ask('profile', { picture: false, player });
  const used = await manager.ask('budget', {});
  expect(field(used.message, /^Used$/)).toMatch(/4 of 720/);
  expect(field(used.message, /^Used$/)).toMatch(/people: 3/);
  expect(field(used.message, /Next one back/)).toMatch(/^in \d+ (?:minutes|hour)/);
  expect(used.text).toMatch(/Open: 71\d requests left/);
  expect(questions(dataService)).toHaveLength(3);

  dataService.setFault('over-limit', true);
  await neighbour.ask('profile', { picture: false, player: dataService.drivers[4] ?? '' });
  const closed = await manager.ask('budget', {});
  expect(closed.text).toMatch(/Paused.* in \d+ (?:seconds|minutes?)/);
  expect(field(closed.message, /^Refused/)).toMatch(/^1 time$/m);
});

test('/diagnose tells those who manage the server how the bot is doing', async ({
  bot: _,
  dataService,
  visitor: manager,
}) => {
  const fresh = await manager.ask('diagnose', {});
  expect(fresh.private).toBe(true);
  expect(fresh.text).toMatch(/\*\*Version\*\* \d+\.\d+\.\d+/);
  expect(fresh.text).toMatch(/\*\*Started\*\* <t:\d+:R>/);
  expect(field(fresh.message, /Data service/)).toMatch(/⚪ \*\*Profiles\*\* none since/);
  expect(field(fresh.message, /^Errors in the bot$/)).toBe('None since start.');

  const [player = '', other = ''] = dataService.drivers;
  await manager.ask('profile', { picture: false, player });
  await manager.ask('profile', { picture: false, player });
  dataService.setFault('html', true);
  await manager.ask('profile', { picture: false, player: other });
  await manager.ask('car', { vin: dataService.vins[0] ?? '' });
  dataService.setFault('html', false);
  const later = await manager.ask('diagnose', {});
  const sources = field(later.message, /Data service/);
  expect(sources).toMatch(/🔴 \*\*Profiles\*\* <t:\d+:R> · last failure <t:\d+:R>: (unreadable|no answer)/);
  expect(sources).toMatch(/🔴 \*\*Cars\*\* none since start · last failure/);
  expect(sources).toMatch(/⚪ \*\*Options\*\*/);
  expect(field(later.message, /Budget/)).toMatch(/71\d requests left/);
  expect(field(later.message, /Cache/)).toMatch(/20% of 5 lookups/);
});

describe('/help', () => {
  test('lets each command be tapped that the reader may use, and names subcommands', async ({
    bot: _,
    chat,
    visitor: manager,
    neighbour,
  }) => {
    const offered = (who: string) =>
      chat
        .visitor(who)
        .commands()
        .filter(({ type, name }) => type === 1 && !['help', 'options'].includes(name));
    for (const { id, ask } of [manager, neighbour]) {
      const told = await ask('help', {});
      expect(told.private).toBe(true);
      for (const { name, description, options = [], id: commandId } of offered(id)) {
        const subcommands = options.filter(({ type }) => type === 1);
        if (subcommands.length === 0) expect(told.text, name).toContain(`</${name}:${commandId}>`);
        if (['profile', 'servers', 'link'].includes(name))
          expect(told.text).toContain(`</${name}:${commandId}> ${description}`);
        // It says what to use instead.
        const row = subcommands
          .filter(({ name: subcommand }) => subcommand !== 'digest')
          .map(({ name: subcommand }, at) =>
            at === 0 ? `</${name} ${subcommand}:${commandId}>` : subcommand,
          );
        if (row.length > 0) expect(told.text).toContain(row.join(' · '));
      }
    }
    const forMembers = await neighbour.ask('help', {});
    expect(forMembers.text).not.toMatch(/<\/(diagnose|board|watch digest)/);
    expect((await manager.ask('help', {})).text).toMatch(/<\/board create:\d+>/);
    const direct = await manager.askDirectly('help', {});
    expect(direct.text).toMatch(/<\/profile:\d+>/);
    expect(direct.text).not.toMatch(/<\/(diagnose|settings|watch digest)/);
  });

  test('gives examples with what was seen here, in the words of the reader', async ({
    bot: _,
    chat,
    dataService,
    visitor,
  }) => {
    await visitor.ask('garage', { player: dataService.drivers[0] ?? '' });
    const { text } = await visitor.ask('help', {});
    const [, player = ''] = /`\/profile player:(.+)`/.exec(text) ?? [];
    expect(dataService.drivers).toContain(player);
    const german = guest(chat, chat.people[5] ?? '');
    expect((await german.ask('help', {})).text).toMatch(/`\/profil spieler:.+`/);
  });
});
