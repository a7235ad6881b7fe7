import { expect, test } from 'vitest';
import { type Fields, readValues } from '../../src/app/form.ts';

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
