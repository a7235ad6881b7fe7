/** Creates the features, hands their requests to commands, and starts their jobs. One that fails takes no other one with it. */

import { features } from '../../commands/subjects.ts';
import { startJobs } from '../base/job.ts';
import { createListeners } from '../base/listeners.ts';
import { logFailures } from '../base/log.ts';
import { contain } from '../base/outage.ts';
import { createRuns } from '../base/runs.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Features } from '../command-kit/features.ts';
import type { Core, Feature, FeatureRuntime, RunningFeature } from '../features/feature.ts';
import type { Documents } from '../store/documents.ts';

type Member = Parameters<NonNullable<RunningFeature['observeMember']>>[0];

/** Lets features carry over what earlier versions have stored, one after the other. Rejects where the store fails. */
export async function prepareFeatures(
  documents: Documents,
  doors: Readonly<Record<string, Feature>> = features,
): Promise<void> {
  for (const door of Object.values(doors)) await door.prepare?.(documents);
}

export function createFeatures(
  core: Core,
  runtime: Runtime,
  doors: Readonly<Record<string, Feature>> = features,
) {
  const members = createListeners<[member: Member]>();
  const created = Object.entries(doors).map(([name, door]) => {
    const failed = logFailures(runtime.log, name);
    const runs = createRuns(runtime.clock, failed);
    const feature = createFeature(name, door, core, { ...runtime, runs, failed });
    members.listen((member) => feature.observeMember?.(member), failed);
    return { name, feature, runs, failed };
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
    startJobs(): void {
      for (const { feature, runs } of created) {
        runtime.resources.defer(() => runs.stop());
        startJobs(runtime.resources, feature.jobs ?? []);
      }
    },
  };
}

/** A feature that cannot be created ends the start, by its name. */
function createFeature(name: string, door: Feature, core: Core, runtime: FeatureRuntime): RunningFeature {
  try {
    return door.create(core, runtime);
  } catch (error) {
    throw new Error(`the feature ${name} cannot be created`, { cause: error });
  }
}
