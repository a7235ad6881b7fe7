/** Creates the features, hands their requests to commands, and starts their jobs. */

import type { Runtime } from '../base/runtime.ts';
import type { Features } from '../command-kit/features.ts';
import type { Core, RunningFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';

export function createFeatures(core: Core, runtime: Runtime) {
  const created = Object.entries(features).map(([name, feature]): [string, RunningFeature] => [
    name,
    feature.create(core, runtime),
  ]);
  return {
    // The list has a value for each name: it does not compile otherwise.
    requests: Object.fromEntries(
      created.map(([name, { requests }]) => [name, requests]),
    ) as unknown as Features,
    messages: created.flatMap(([, { messages }]) => messages ?? []),
    afterwards: created.flatMap(([, { afterwards }]) => afterwards ?? []),
    /** By feature. */
    belongings: Object.fromEntries(
      created.flatMap(([name, { belongings }]) => (belongings === undefined ? [] : [[name, belongings]])),
    ),
    /** Shows features a member whom an interaction names. */
    observeMember(member: Parameters<NonNullable<RunningFeature['observeMember']>>[0]): void {
      for (const [, feature] of created) feature.observeMember?.(member);
    },
    /** Starts the jobs, until the end. */
    start(): void {
      for (const [, feature] of created) feature.start?.();
    },
  };
}
