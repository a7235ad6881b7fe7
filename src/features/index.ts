/** The features of the bot, a line each. A name is a folder, and the name in `context.features`. */
import { alerts } from './alerts/feature.ts';
import { convoys } from './convoys/feature.ts';
import type { FeatureList } from './feature.ts';
import { recap } from './recap/feature.ts';
import { roles } from './roles/feature.ts';

export const features = { alerts, convoys, recap, roles } satisfies FeatureList;
