import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { createClient } from '../../src/service/client.ts';
import { car, type Endpoint, live, options, overview, profile } from '../../src/service/endpoints.ts';
import { places } from './loopback.ts';
import { readAs } from './read-as.ts';

describe('a question', () => {
  async function questionOf<Params, Row>(
    endpoint: Endpoint<Params, Row>,
    asked: NoInfer<Params>,
  ): Promise<string> {
    const questions: string[] = [];
    const { get } = createClient({
      places,
      layer: async ({ cacheKey, endpoint: name }) => {
        questions.push(cacheKey);
        throw new ServiceError('unavailable', { endpoint: name, sent: 'no' });
      },
    });
    await expect(get(endpoint, asked)).rejects.toThrow(ServiceError);
    return questions.join();
  }

  test('is the same in whatever case a name or VIN is typed', async () => {
    expect(await questionOf(profile, { username: 'ALICE' })).toBe(
      await questionOf(profile, { username: ' alice ' }),
    );
    expect(await questionOf(profile, { username: 'A\u030A' })).toBe(
      await questionOf(profile, { username: 'å' }),
    );
    expect(await questionOf(car, { vin: 'ab12c' })).toBe(await questionOf(car, { vin: 'AB12C' }));
  });

  test('is another one for another name or row', async () => {
    const questions = await Promise.all([
      questionOf(profile, { username: 'a' }),
      questionOf(profile, { username: 'a/b' }),
      questionOf(options, { username: 'a' }),
      questionOf(car, { vin: 'AB12C' }),
      questionOf(overview, {}),
      questionOf(live, { server: 'one' }),
    ]);
    expect(new Set(questions).size).toBe(questions.length);
  });

  test.for<[string, () => Promise<unknown>]>([
    ['a VIN of six', () => readAs(car, { vin: 'AB12CD' }, {})],
    ['a VIN with a slash', () => readAs(car, { vin: '../..' }, {})],
    ['an empty name', () => readAs(profile, { username: ' ' }, {})],
    ['a name with a line break', () => readAs(profile, { username: 'a\nb' }, {})],
    ['a name of 65', () => readAs(profile, { username: 'a'.repeat(65) }, {})],
    ['a name of 64 emoji, which is twice as long', () => readAs(profile, { username: '🚗'.repeat(64) }, {})],
    ['half a character', () => readAs(profile, { username: '\uD800' }, {})],
  ])('with %s is the mistake of who asks, and is not sent', async ([, ask]) => {
    await expect(ask()).rejects.toThrow(TypeError);
    await expect(ask()).rejects.toThrow(/cannot be asked with this (vin|username)/);
  });
});
