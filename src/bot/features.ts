/** Creates the features, hands their requests to commands, and starts their jobs. One that fails takes no other one with it. */

import { createListeners } from '../base/listeners.ts';
import { logFailures } from '../base/log.ts';
import { contain } from '../base/outage.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Features } from '../command-kit/features.ts';
import type { Core, Feature, RunningFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';

type Member = Parameters<NonNullable<RunningFeature['observeMember']>>[0];

export function createFeatures(
  core: Core,
  runtime: Runtime,
  doors: Readonly<Record<string, Feature>> = features,
) {
  const starts = createListeners<[]>();
  const members = createListeners<[member: Member]>();
  const created = Object.entries(doors).map(([name, door]) => {
    const feature = createFeature(name, door, core, runtime);
    const failed = logFailures(runtime.log, name);
    starts.listen(() => feature.start?.(), failed);
    members.listen((member) => feature.observeMember?.(member), failed);
    return { name, feature, failed };
  });
  return {
    // The list has a value for each name: it does not compile otherwise.
    requests: Object.fromEntries(
      created.map(({ name, feature }) => [name, feature.requests]),
    ) as unknown as Features,
    messages: created.flatMap(({ feature }) => feature.messages ?? []),
    afterwards: created.flatMap(({ feature: { afterwards }, failed }) =>
      afterwards === undefined ? [] : [contain(afterwards, failed, () => null)],
    ),
    /** By feature. */
    belongings: Object.fromEntries(
      created.flatMap(({ name, feature: { belongings } }) =>
        belongings === undefined ? [] : [[name, belongings]],
      ),
    ),
    /** Shows features a member whom an interaction names. */
    observeMember: members.call,
    /** Starts the jobs, until the end. */
    start: starts.call,
  };
}

/** A feature that cannot be created ends the start, by its name. */
function createFeature(name: string, door: Feature, core: Core, runtime: Runtime): RunningFeature {
  try {
    return door.create(core, runtime);
  } catch (error) {
    throw new Error(`the feature ${name} cannot be created`, { cause: error });
  }
}
