/** What is offered after a name that nobody has: over the bot's own commands. */
import { ComponentType, InteractionType, MessageFlags } from 'discord.js';
import { describe, expect, test, vi } from 'vitest';
import { readPair } from '../../../commands/drivers/cards/compare-card.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import type { RecentNames } from '../../../src/command-kit/names/recent-names.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { dispatchInMemory } from '../../support/dispatch-in-memory.ts';
import { noNames } from '../../support/no-names.ts';
import { offerButtons, similarNames } from '../../support/offered.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));

const offered = (called: string, args: Parameters<typeof offerButtons>[2], names?: RecentNames) =>
  offerButtons(commands, called, args, names);

describe('both names of a pair may be wrong', () => {
  const pairOf = ([label, written]: readonly [string, string]) => {
    const { number = 0, subject = '' } = readCustomId(written) ?? {};
    return { label, ...readPair({ number, subject }) };
  };

  test('then the first button puts both right', () => {
    expect(offered('compare', { first: 'hoardr', second: 'Milla' }).map(pairOf)).toEqual([
      { label: 'hoarder · Mila', a: 'hoarder', b: 'Mila' },
      { label: 'hoarder', a: 'hoarder', b: 'Milla' },
      { label: 'Mila', a: 'hoardr', b: 'Mila' },
    ]);
  });

  test('one that is known is left as it is', () => {
    expect(offered('compare', { first: 'hoarder', second: 'Milla' }).map(pairOf)).toEqual([
      { label: 'Mila', a: 'hoarder', b: 'Mila' },
    ]);
  });
});

test('both drivers of one in-game name are offered by both their names', () => {
  const long = 'x'.repeat(80);
  const names: RecentNames = {
    ...noNames,
    playersCalled: () => [
      { username: 'one', nickname: 'Mario', at: 0, fit: 'whole' },
      { username: 'two', nickname: 'MARIO', at: 0, fit: 'whole' },
      { username: 'three', nickname: `mario ${long}`, at: 0, fit: 'part' },
    ],
  };
  const labels = (player: string) => offered('garage', { player }, names).map(([label]) => label);
  expect(labels('Mario')).toEqual(['Mario (one)', 'MARIO (two)', `mario ${'x'.repeat(31)}… (three)`]);
  expect(labels('Ma')).toEqual(['Mario (one)', 'MARIO (two)']);
});

test('the window that links a driver offers similar names above the way back', async () => {
  const get = async () => {
    throw new ServiceError('not-found', { endpoint: 'profile', sent: 'yes' });
  };
  const bot = dispatchInMemory({ commands, context: { service: { get }, recentNames: similarNames } });
  bot.ask({
    type: InteractionType.ModalSubmit,
    message: { id: '1', flags: MessageFlags.Ephemeral },
    data: {
      custom_id: '1:profile:form:',
      components: [
        {
          ...{ type: ComponentType.Label, id: 1 },
          component: { type: ComponentType.TextInput, id: 2, custom_id: 'player', value: 'hoardr' },
        },
      ],
    },
  });
  await vi.waitFor(() => expect(bot.heard).toHaveLength(1));
  const labels = bot.heard.flatMap(({ body }) => [...body.matchAll(/"label":"([^"]+)"/g)].map((m) => m[1]));
  expect(labels).toEqual(['hoarder', 'Change and try again']);
  expect(bot.heard[0]?.body).toContain('1:link:own:hoarder');
});
