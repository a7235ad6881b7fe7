/**
 * The features of the bot, a line each. A name is a folder, and the name in `context.features`. People see their data in this
 * order in `/privacy`.
 */
import { alerts } from './alerts/feature.ts';
import { convoys } from './convoys/feature.ts';
import type { FeatureList } from './feature.ts';
import { recap } from './recap/feature.ts';
import { roles } from './roles/feature.ts';

export const features = { alerts, roles, convoys, recap } satisfies FeatureList;
