import { expect, test } from 'vitest';
import { type Fields, isComplete, readValues } from '../../src/command-kit/form.ts';

const fields = {
  channel: { kind: 'channel', label: 'setup.channel' },
  about: { kind: 'kept' },
} as const satisfies Fields;
const id = '100000000000000001';

test('what is filled in as a channel, or kept from the opening, is an id', () => {
  expect(readValues({ fields }, { channel: id }, { about: id })).toEqual({ channel: id, about: id });
  for (const text of ['', 'general', `<#${id}>`, '1', `${id}0000`, `${id} `]) {
    expect(readValues({ fields }, { channel: text }, { about: id }), text).toEqual({ about: id });
    expect(readValues({ fields }, { channel: id }, { about: text }), text).toEqual({ channel: id });
  }
});

test('a number that may be missing is kept from the opening, and no other text', () => {
  const kept = { count: { kind: 'kept', optional: true } } as const satisfies Fields;
  for (const count of ['', '3', id]) expect(readValues({ fields: kept }, {}, { count })).toEqual({ count });
  for (const count of ['three', '-1', `${id}0000`])
    expect(readValues({ fields: kept }, {}, { count }), count).toEqual({});
});

test('a form is complete if every field holds something, be it nothing chosen', () => {
  expect(isComplete({ fields }, { channel: id, about: '' })).toBe(true);
  expect(isComplete({ fields }, { channel: id })).toBe(false);
});

test('a comma stays in a long text, and ends no short one, which stands in a custom id', () => {
  const texts = {
    title: { kind: 'text', label: 'setup.title', long: 80 },
    zone: { kind: 'text', label: 'setup.channel' },
  } as const satisfies Fields;
  expect(readValues({ fields: texts }, { title: 'Drift, then drag', zone: 'a,b' }, {})).toEqual({
    title: 'Drift, then drag',
    zone: 'a b',
  });
});

test('a field that is not shown is empty, and one that is shown is required', () => {
  const asking = {
    known: { kind: 'kept', optional: true },
    zone: { kind: 'menu', label: 'setup.channel', shownIf: ['known', '0'], accepts: () => true },
    role: { kind: 'role', label: 'setup.channel', optional: true, shownIf: ['known', '1'] },
  } as const satisfies Fields;
  const read = (known: string, texts: Readonly<Record<string, string>>) => {
    const values = readValues({ fields: asking }, texts, { known });
    return isComplete({ fields: asking }, values) ? values : null;
  };
  expect(read('0', { zone: 'UTC' })).toEqual({ known: '0', zone: 'UTC', role: '' });
  expect(read('0', {})).toBeNull();
  expect(read('0', { zone: 'UTC', role: id })).toBeNull();
  expect(read('1', { role: id })).toEqual({ known: '1', zone: '', role: id });
  expect(read('1', { role: '' })).toEqual({ known: '1', zone: '', role: '' });
  expect(read('1', {})).toBeNull();
  expect(read('1', { role: 'everyone' })).toBeNull();
  expect(read('1', { zone: 'UTC' })).toBeNull();
  // The values to begin with came too late.
  expect(read('', {})).toEqual({ known: '', zone: '', role: '' });
});
