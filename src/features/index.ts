/**
 * The features of the bot, a line each. A name is a folder, and the name in `context.features`. People see their data in this
 * order in `/privacy`.
 */
import { alerts } from '../../commands/alerts/feature.ts';
import { convoys } from '../../commands/convoys/feature.ts';
import { recap } from '../../commands/recap/feature.ts';
import { roles } from '../../commands/roles/feature.ts';
import type { FeatureList } from './feature.ts';

export const features = { alerts, roles, convoys, recap } satisfies FeatureList;
