/** What falls where one feature fails: that feature alone, by its name. */
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../src/base/duration.ts';
import { createJob } from '../../src/base/job.ts';
import { createFeatures, prepareFeatures } from '../../src/bot/features.ts';
import type { Feature, FeatureRuntime, RunningFeature } from '../../src/features/feature.ts';
import { bot, GUILD, time } from '../support/bot-in-memory.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');
const member = { guildId: GUILD, personId: '7', joinedAt: '2026-01-01T00:00:00Z' };
const person = { id: '7' } as never;
const fail = (): never => {
  throw new Error('a bug');
};

/** A broken feature before one that notes what it is told. */
function createBoth(createBroken: (failed: FeatureRuntime['failed']) => Partial<RunningFeature>) {
  const all = bot();
  const calls: string[] = [];
  const sound: RunningFeature = {
    requests: null,
    jobs: [createJob(time.clock, MINUTE, async () => void calls.push('job'))],
    observeMember: () => void calls.push('observeMember'),
    async afterwards() {
      calls.push('afterwards');
      return null;
    },
  };
  const door = (create: Feature['create']) => ({ texts: {}, collections: [], create });
  const doors = {
    broken: door((_core, { failed }) => ({ requests: null, ...createBroken(failed) })),
    sound: door(() => sound),
  };
  return { ...all, calls, features: createFeatures(all.core, all.runtime, doors) };
}

describe.each(['observeMember', 'afterwards'] as const)('%s', (point) => {
  test('of a feature throws: the log names the feature, and the next one goes on', async () => {
    const { features, calls, lines } = createBoth(() => ({ [point]: fail }));
    await features.observeMember(member);
    for (const say of features.afterwards) expect(await say(person, t)).toBeNull();
    await time.pass(0);
    expect(calls).toEqual(['observeMember', 'afterwards']);
    expect(lines).toMatchObject([{ err: { message: 'a bug' }, msg: 'broken failed' }]);
  });
});

test('data of earlier versions is carried over feature by feature; a failure is told', async () => {
  const { documents } = bot();
  const calls: string[] = [];
  const door = (name: string) => ({
    ...{ texts: {}, collections: [], create: () => ({ requests: null }) },
    prepare: async (store: unknown) => {
      calls.push(`${name} ${store === documents}`);
      if (name === 'broken') fail();
    },
  });
  await prepareFeatures(documents, { one: door('one'), two: door('two') });
  expect(calls).toEqual(['one true', 'two true']);
  await expect(prepareFeatures(documents, { broken: door('broken') })).rejects.toThrow('a bug');
});

test('a job of a feature fails: the log names it, and the next one’s job runs', async () => {
  const { features, calls, lines, resources } = createBoth((failed) => ({
    jobs: [createJob(time.clock, MINUTE, async () => fail(), failed)],
  }));
  features.startJobs();
  await time.pass(MINUTE);
  expect(calls).toEqual(['job', 'job']);
  expect(lines).toMatchObject([{ err: { message: 'a bug' }, msg: 'broken failed' }]);
  await time.until(resources.disposeAsync());
  await time.pass(HOUR);
  expect(calls).toEqual(['job', 'job']);
});

test('a feature that cannot be created ends the start, by its name', () => {
  expect(() => createBoth(fail)).toThrow('the feature broken cannot be created');
});
