/** What falls where one feature fails: that feature alone, by its name. */
import { describe, expect, test } from 'vitest';
import { createFeatures } from '../../src/bot/features.ts';
import type { RunningFeature } from '../../src/features/feature.ts';
import { botAtWork, GUILD, time } from '../support/bot-at-work.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');
const member = { guildId: GUILD, personId: '7', joinedAt: '2026-01-01T00:00:00Z' };
const person = { id: '7' } as never;
const fail = (): never => {
  throw new Error('a bug');
};

/** A broken feature before one that notes what it is told. */
function createBoth(broken: Partial<RunningFeature>, create: () => void = () => {}) {
  const all = botAtWork();
  const calls: string[] = [];
  const sound: RunningFeature = {
    requests: null,
    start: () => void calls.push('start'),
    observeMember: () => void calls.push('observeMember'),
    async afterwards() {
      calls.push('afterwards');
      return null;
    },
  };
  const door = (feature: RunningFeature) => ({ texts: {}, collections: [], create: () => feature });
  const doors = {
    broken: {
      ...door({ requests: null, ...broken }),
      create() {
        create();
        return { requests: null, ...broken };
      },
    },
    sound: door(sound),
  };
  return { ...all, calls, features: createFeatures(all.parts, all.runtime, doors as never) };
}

describe.each(['start', 'observeMember', 'afterwards'] as const)('%s', (point) => {
  test('of a feature throws: the log names the feature, and the next one goes on', async () => {
    const { features, calls, lines } = createBoth({ [point]: fail });
    await features.start();
    await features.observeMember(member);
    for (const say of features.afterwards) expect(await say(person, t)).toBeNull();
    await time.pass(0);
    expect(calls).toEqual(['start', 'observeMember', 'afterwards']);
    expect(lines).toEqual([[{ err: new Error('a bug') }, 'broken failed']]);
  });
});

test('a feature that cannot be created ends the start, by its name', () => {
  expect(() => createBoth({}, fail)).toThrow('the feature broken cannot be created');
});
