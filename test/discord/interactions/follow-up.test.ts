/** A follow-up is sent at most once, whatever its connection does. */
import { DiscordAPIError } from '@discordjs/rest';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { isPrivate, type Message } from '../../../src/discord/interaction.ts';
import { followUp } from '../../../src/discord/interactions/deliver.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';

const log = createLog({ level: 'silent', secrets: [] });
const broken = (code: string): Error => Object.assign(new Error('gone'), { code });

/** An interaction whose follow-ups end like that, one after the other, and then well. */
async function sent(...ends: readonly Error[]) {
  const left = [...ends];
  const contents: string[] = [];
  const interaction = {
    async followUp({ body }: Message) {
      contents.push(isPrivate(body) ? `(${body.content})` : (body.content ?? ''));
      const end = left.shift();
      if (end !== undefined) throw end;
    },
  };
  const error: unknown = await followUp(
    interaction,
    { body: { content: 'all' }, files: [] },
    { doubt: 'look', log },
  ).catch((thrown: unknown) => thrown);
  return { contents, error };
}

test.for([
  ['was never answered', new Unconfirmed(null)],
  ['was answered with an error', new Unconfirmed(502)],
  ['was answered, and the answer broke off,', broken('UND_ERR_SOCKET')],
] as const)('what %s is not sent again, and the person is told to look', async ([, end]) => {
  expect(await sent(end)).toEqual({ contents: ['all', '(look)'], error: expect.any(Unconfirmed) });
  expect(await sent(end, new Unconfirmed(500))).toEqual({
    contents: ['all', '(look)'],
    error: expect.any(Unconfirmed),
  });
});

test('what never left is sent again, once, and leaves no doubt', async () => {
  expect(await sent(broken('ECONNREFUSED'))).toEqual({ contents: ['all', 'all'], error: undefined });
  const twice = await sent(broken('ECONNREFUSED'), broken('ENOTFOUND'));
  expect(twice).toMatchObject({ contents: ['all', 'all'], error: { code: 'ENOTFOUND' } });
});

test('what Discord refuses is not there, and there is no doubt', async () => {
  const refused = new DiscordAPIError({ code: 50035, message: 'no' }, 50035, 400, 'POST', '', {});
  expect(await sent(refused)).toEqual({ contents: ['all'], error: refused });
});
