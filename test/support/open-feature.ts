/** One feature, as the bot opens it. */

import { features } from '../../commands/subjects.ts';
import type { Runtime } from '../../src/base/runtime.ts';
import { createFeatures } from '../../src/bot/features.ts';
import type { Features } from '../../src/command-kit/features.ts';
import type { Core } from '../../src/features/feature.ts';

export function openFeature<Name extends keyof Features>(
  name: Name,
  core: Core,
  runtime: Runtime,
): { readonly requests: Features[Name]; readonly start: () => void } {
  const { requests, startJobs } = createFeatures(core, runtime, { [name]: features[name] });
  return { requests: requests[name], start: startJobs };
}
