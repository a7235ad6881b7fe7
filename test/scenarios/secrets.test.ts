import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { guest, test } from '../support/sandbox.ts';

test('the key and the token appear in no output, payload or file, whatever goes wrong', async ({
  chat,
  dataService,
  botProcess: bot,
  visitor,
}) => {
  const payloads: string[] = [];
  chat.subscribe((event) => {
    // The token belongs into the login itself and nowhere else.
    if (event.type === 'payload' && event.method !== 'IDENTIFY' && event.method !== 'RESUME')
      payloads.push(JSON.stringify(event));
  });
  const [player = ''] = dataService.drivers;
  await visitor.ask('profile', { picture: false, player });
  await visitor.ask('car', { vin: dataService.vins[0] ?? '' });
  for (const [index, { name }] of dataService.faults.entries()) {
    dataService.setFault(name, true);
    // Each by another person: nobody may look up so much at once.
    const person = chat.people[index % chat.people.length] ?? '';
    const { text } = await guest(chat, person).ask('profile', { picture: false, player: `nobody ${name}` });
    expect(text).not.toMatch(/your share/);
    dataService.setFault(name, false);
  }
  await bot.stop();

  const files = readdirSync(bot.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.length).toBeGreaterThan(0);
  expect(payloads.length).toBeGreaterThan(0);
  expect(bot.output).not.toBe('');
  for (const text of [bot.output, ...payloads, ...files]) {
    expect(text).not.toContain(dataService.key);
    expect(text).not.toContain(chat.token);
  }
}, 60_000);
