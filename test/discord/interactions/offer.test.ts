/** What is offered after a name that nobody has: over the bot's own commands. */
import { ComponentType, InteractionType, MessageFlags } from 'discord.js';
import { describe, expect, test, vi } from 'vitest';
import { readPair } from '../../../commands/drivers/cards/compare-card.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { createNameIndex } from '../../../src/command-kit/names/name-index.ts';
import type { RecentNames } from '../../../src/command-kit/names/recent-names.ts';
import type { Args, Options } from '../../../src/command-kit/option.ts';
import { findInvoked } from '../../../src/discord/interactions/args.ts';
import { offerNear } from '../../../src/discord/interactions/offer.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { dispatchInMemory } from '../../support/dispatch-in-memory.ts';
import { noNames } from '../../support/no-names.ts';
import { createTranslators } from '../../support/translators.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
const t = createTranslators()('en-GB');

const players = createNameIndex({ names: 9, characters: 99 });
for (const name of ['hoarder', 'Mila', 'k3nny']) players.add(name);
const vins = createNameIndex({ names: 9, characters: 99 });
vins.add('AB12C');
const recentNames = {
  ...noNames,
  playersNear: (typed: string) => players.near(typed).map(({ name }) => name),
  vinsNear: (typed: string) => vins.near(typed).map(({ name }) => ({ vin: name, type: null })),
};

/** The labels and ids of the buttons. */
function offered(
  called: string,
  args: Args<Options>,
  names: RecentNames = recentNames,
): readonly (readonly [label: string, id: string])[] {
  const [name = '', subcommand = null] = called.split(' ');
  const command = commands.get(name);
  const invocable = command && findInvoked(command, subcommand);
  if (invocable === undefined) throw new Error(`there is no /${called}`);
  const row = offerNear(name, invocable, args, { recentNames: names, t })?.row;
  return (row?.components ?? []).map((each) =>
    'label' in each && 'custom_id' in each ? [each.label ?? '', each.custom_id] : ['', ''],
  );
}

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

describe('an alert', () => {
  const direct = { channel: null, ping: null, 'at-night': null };

  test('on a driver or a car keeps what else was chosen', () => {
    expect(offered('watch driver', { ...direct, player: 'hoardr' })).toEqual([
      ['hoarder', '1:watch:driver:hoarder'],
    ]);
    expect(offered('watch driver', { ...direct, player: 'hoardr', 'at-night': true })).toEqual([
      ['hoarder', '1:watch:driver-1:hoarder'],
    ]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null })).toEqual([
      ['AB12C', '1:watch:car:AB12C'],
    ]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null, 'at-night': true })).toEqual([
      ['AB12C', '1:watch:car-1:AB12C'],
    ]);
  });

  test('whose button could not hold the rest is not offered', () => {
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: 40_000 })).toEqual([]);
    expect(offered('watch car', { ...direct, vin: 'AB12D', below: null, channel: '7' })).toEqual([]);
    expect(offered('watch driver', { ...direct, player: 'hoardr', channel: '7' })).toEqual([]);
  });
});

test('the window that links a driver offers similar names above the way back', async () => {
  const get = async () => {
    throw new ServiceError('not-found', { endpoint: 'profile', sent: 'yes' });
  };
  const bot = dispatchInMemory({ commands, context: { service: { get }, recentNames } });
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
