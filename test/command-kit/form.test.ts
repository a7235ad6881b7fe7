import { expect, test } from 'vitest';
import { type Fields, readValues } from '../../src/command-kit/form.ts';

const fields = {
  channel: { kind: 'channel', label: 'setup.channel' },
  about: { kind: 'kept' },
} as const satisfies Fields;
const id = '100000000000000001';

test('what is filled in as a channel, or kept from the opening, is an id', () => {
  expect(readValues({ fields }, { channel: id }, { about: id })).toEqual({ channel: id, about: id });
  for (const text of ['', 'general', `<#${id}>`, '1', `${id}0000`, `${id} `]) {
    expect(readValues({ fields }, { channel: text }, { about: id }), text).toBeNull();
    expect(readValues({ fields }, { channel: id }, { about: text }), text).toBeNull();
  }
});

test('a number that may be missing is kept from the opening, and no other text', () => {
  const kept = { count: { kind: 'kept', optional: true } } as const satisfies Fields;
  for (const count of ['', '3', id]) expect(readValues({ fields: kept }, {}, { count })).toEqual({ count });
  for (const count of ['three', '-1', `${id}0000`])
    expect(readValues({ fields: kept }, {}, { count }), count).toBeNull();
});

test('a comma stays in a long text, and ends no short one, which stands in a custom id', () => {
  const texts = {
    title: { kind: 'text', label: 'convoy.options.title', long: 80 },
    zone: { kind: 'text', label: 'setup.channel' },
  } as const satisfies Fields;
  expect(readValues({ fields: texts }, { title: 'Drift, then drag', zone: 'a,b' }, {})).toEqual({
    title: 'Drift, then drag',
    zone: 'a b',
  });
});
