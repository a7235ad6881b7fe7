import { expect, test } from 'vitest';
import { valueOfText } from '../../../src/sandbox/page/client/option-value.ts';
import type { OptionView } from '../../../src/sandbox/page/protocol.ts';

const option = (part: Partial<OptionView>): OptionView => ({
  ...{ name: 'x', untranslated: 'x', description: '', kind: 'text', required: false, suggested: false },
  ...{ choices: [], ...part },
});
const truth = option({
  kind: 'boolean',
  choices: [
    { name: 'Wahr', value: true },
    { name: 'Falsch', value: false },
  ],
});
const channel = option({ kind: 'channel', choices: [{ name: '#live-servers', value: '7' }] });

test.each([
  [truth, 'wahr', true],
  [truth, 'False', false],
  [truth, 'perhaps', null],
  [channel, '#live-servers', '7'],
  [channel, 'Live-Servers', '7'],
  [channel, '7', '7'],
  [channel, 'live', null],
  [option({ kind: 'integer' }), '12', 12],
  [option({ kind: 'integer' }), '1.5', null],
  [option({ kind: 'number' }), '1.5', 1.5],
  [option({}), '12:30', '12:30'],
])('%o takes %j as %j', (taker, text, value) => {
  expect(valueOfText(taker, null, text)).toBe(value);
});
