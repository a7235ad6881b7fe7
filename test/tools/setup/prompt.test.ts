import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createPrompt } from '../../../src/tools/setup/prompt.ts';

/** As a terminal sends it. */
const [ENTER, UP] = ['\r', '\u001b[A'];

test('hides the answer, and the arrow for earlier lines does not bring it back', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const shown = text(output);
  const prompt = createPrompt(
    input as unknown as NodeJS.ReadStream,
    output as unknown as NodeJS.WriteStream,
    () => {},
  );
  const token = prompt.ask('Token', { hidden: true });
  input.write(`most-secret${ENTER}`);
  expect(await token).toBe('most-secret');
  const address = prompt.ask('Address');
  input.write(`${UP}typed${ENTER}`);
  expect(await address).toBe('typed');
  prompt.close();
  output.end();
  expect(await shown).not.toContain('most-secret');
});
