import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { defaultSettings } from '../../src/community/accounts/guild-settings.ts';
import { peopleInMemory } from '../support/people.ts';
import { serviceOf } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const GUILD = '1';
const person = { id: '7', guildId: GUILD, channelId: null, mayManage: false, locale: 'en-GB' };

/** A service that tells a driver's options as the test wants it to. */
function setUp(tell: () => Promise<unknown> = async () => []) {
  const { store: people } = peopleInMemory();
  const asked: unknown[] = [];
  const failures: unknown[] = [];
  const service = serviceOf(
    ({ endpoint, asked: question, ask }) => {
      asked.push({ endpoint, question, priority: ask?.priority, asker: ask?.asker });
      return tell();
    },
    () => ({ asOf: 0, stale: null }),
  );
  const viewerOf = createViewers({
    translatorFor: createTranslators(),
    service,
    store: people,
    failed: (error) => failures.push(error),
  });
  return { people, asked, failures, viewerOf };
}

const distanceFor = async ({ viewerOf }: ReturnType<typeof setUp>) =>
  (await (await viewerOf(person)).inOwnUnit()).distance(5000).replaceAll(/\s/g, '');

async function follow({ people }: ReturnType<typeof setUp>): Promise<void> {
  await people.guildSettings.change(GUILD, { ...defaultSettings, distances: 'driver' });
  await people.links.set(person.id, { username: 'k3nny', since: 0 });
}

describe('the viewer', () => {
  test("is the person's own language, unless the guild has chosen one", async () => {
    const { people, viewerOf } = setUp();
    expect((await viewerOf({ ...person, locale: 'pl' })).t.locale).toBe('pl');
    await people.guildSettings.change(GUILD, { ...defaultSettings, language: 'fr', colours: false });
    const { t } = await viewerOf({ ...person, locale: 'pl' });
    expect(t.locale).toBe('fr');
    expect(t.colours).toBe(false);
    expect((await viewerOf({ ...person, guildId: null, locale: 'pl' })).t.locale).toBe('pl');
  });

  test('gets the defaults while the store fails, which is reported', async () => {
    const parts = setUp();
    vi.spyOn(parts.people.guildSettings, 'of').mockRejectedValue(new Error('the disk is gone'));
    expect((await parts.viewerOf({ ...person, locale: 'de' })).t.locale).toBe('de');
    // Once, however many ask.
    await parts.viewerOf(person);
    expect(parts.failures).toHaveLength(1);
    vi.restoreAllMocks();
    await parts.viewerOf(person);
    vi.spyOn(parts.people.guildSettings, 'of').mockRejectedValue(new Error('the disk is gone'));
    await parts.viewerOf(person);
    expect(parts.failures).toHaveLength(2);
  });
});

describe("distances as the asker's driver has them", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test.each([
    [{ mph: '1' }, '3.1mi'],
    [{ mph: '0' }, '5km'],
    [{ other: '1' }, '5km'],
    [[], '5km'],
  ])('%j: %s', async (options, expected) => {
    const parts = setUp(async () => options);
    await follow(parts);
    expect(await distanceFor(parts)).toBe(expected);
    // The person waits for it and pays for it.
    expect(parts.asked).toEqual([
      {
        endpoint: 'options',
        question: { username: 'k3nny' },
        priority: undefined,
        asker: { personId: person.id, guildId: GUILD },
      },
    ]);
  });

  test('are in kilometres if there is no driver or the guild does not want a question', async () => {
    const parts = setUp(async () => ({ mph: '1' }));
    await follow(parts);
    await parts.people.links.remove(person.id);
    expect(await distanceFor(parts)).toBe('5km');
    await parts.people.links.set(person.id, { username: 'k3nny', since: 0 });
    await parts.people.guildSettings.change(GUILD, defaultSettings);
    expect(await distanceFor(parts)).toBe('5km');
    expect(parts.asked).toEqual([]);
  });

  test('are in kilometres where the service does not tell, or not in time', async () => {
    const refusing = setUp(async () => {
      throw new ServiceError('over-budget', { endpoint: 'options', sent: 'no' });
    });
    await follow(refusing);
    expect(await distanceFor(refusing)).toBe('5km');

    const silent = setUp(() => new Promise(() => {}));
    await follow(silent);
    const answer = distanceFor(silent);
    await vi.advanceTimersByTimeAsync(500);
    expect(await answer).toBe('5km');
  });
});
