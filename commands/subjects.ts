/**
 * The subjects of the bot: the texts of each, and the features among them, which can be taken out, a line each. A subject's name
 * is its folder, and that of a feature the name in `context.features`. People see their data in the order of features in
 * `/privacy`.
 */
import type { FeatureList } from '../src/features/feature.ts';
import { type Catalogues, createCatalogues, type Texts } from '../src/i18n/catalogues.ts';
import { alerts } from './alerts/feature.ts';
import { en as boards } from './boards/texts/en.ts';
import { en as cars } from './cars/texts/en.ts';
import { convoys } from './convoys/feature.ts';
import { en as drivers } from './drivers/texts/en.ts';
import { en as guild } from './guild/texts/en.ts';
import { en as help } from './help/texts/en.ts';
import { en as history } from './history/texts/en.ts';
import { en as people } from './people/texts/en.ts';
import { recap } from './recap/feature.ts';
import { roles } from './roles/feature.ts';
import { en as servers } from './servers/texts/en.ts';

export const features = { alerts, roles, convoys, recap } satisfies FeatureList;

const textsOfSubjects = { drivers, cars, servers, boards, history, people, guild, help };

/** Creates the catalogues with the texts of all subjects. `root`: the folder of `commands/`; the bundle has its own. */
export function createAllCatalogues(root = new URL('../', import.meta.url)): Catalogues {
  const ofFeatures = Object.entries(features).map(([name, { texts }]): [string, Texts] => [name, texts]);
  const subjects = [...Object.entries<Texts>(textsOfSubjects), ...ofFeatures].map(([name, english]) => ({
    english,
    folder: new URL(`./commands/${name}/texts/`, root),
  }));
  return createCatalogues(subjects, new URL('./src/i18n/locales/', root));
}
