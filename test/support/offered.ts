import { createNameIndex } from '../../src/command-kit/names/name-index.ts';
import type { RecentNames } from '../../src/command-kit/names/recent-names.ts';
import type { Args, Options } from '../../src/command-kit/option.ts';
import { findInvoked } from '../../src/discord/interactions/args.ts';
import { offerNear } from '../../src/discord/interactions/offer.ts';
import type { Commands } from '../../src/discord/publish/load.ts';
import { noNames } from './no-names.ts';
import { createTranslators } from './translators.ts';

const t = createTranslators()('en-GB');

const players = createNameIndex({ names: 9, characters: 99 });
for (const name of ['hoarder', 'Mila', 'k3nny']) players.add(name);
const vins = createNameIndex({ names: 9, characters: 99 });
vins.add('AB12C');
/** Recent names with three drivers and a car. */
export const similarNames: RecentNames = {
  ...noNames,
  playersNear: (typed: string) => players.near(typed).map(({ name }) => name),
  vinsNear: (typed: string) => vins.near(typed).map(({ name }) => ({ vin: name, type: null })),
};

/** Returns the labels and ids of the buttons below a name that nobody has. */
export function offerButtons(
  commands: Commands,
  called: string,
  args: Args<Options>,
  names: RecentNames = similarNames,
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
