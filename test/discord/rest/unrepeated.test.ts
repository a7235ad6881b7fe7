/** Which requests the REST client repeats by itself, counted where they leave. */
import { REST, type ResponseLike, Routes } from 'discord.js';
import { expect, test } from 'vitest';
import { withoutRepeats } from '../../../src/discord/rest/make-request.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';

const ID = '281474976710657001';
const followUp = Routes.webhook(ID, 'token');
const callback = Routes.interactionCallback(ID, 'token');

/** A client whose every request ends like that. */
function clientThat(ends: () => Promise<ResponseLike>) {
  const sent = { count: 0 };
  const makeRequest = withoutRepeats(() => {
    sent.count += 1;
    return ends();
  });
  return {
    sent,
    rest: new REST({ makeRequest, hashSweepInterval: 0, handlerSweepInterval: 0 }).setToken('x'),
  };
}

const failure = (name: string, code: string) => () =>
  Promise.reject(Object.assign(new Error(`${code} at /webhooks/1/token`), { name, code }));
const badGateway = async () => new Response('busy', { status: 502 });

const unsure = [
  ['a 502', badGateway],
  ['no answer in time', failure('AbortError', 'UND_ERR_ABORTED')],
  ['a connection that breaks', failure('Error', 'ECONNRESET')],
] as const;

test.for(
  [followUp, callback, Routes.channelMessages(ID)].flatMap((route) =>
    unsure.map(([what, ends]) => [route, what, ends] as const),
  ),
)('a POST to %s with %s is sent once, and nobody knows whether it was taken', async ([route, , ends]) => {
  const { rest, sent } = clientThat(ends);
  const error: unknown = await rest.post(route, { auth: false }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unconfirmed);
  expect(String(error)).not.toContain('token');
  expect(sent.count).toBe(1);
});

test.for([
  ['an edit over an interaction’s token', 'patch', Routes.webhookMessage(ID, 'token')],
  ['the opening of a conversation', 'post', Routes.userChannels()],
] as const)('%s is repeated', async ([, method, route]) => {
  const { rest, sent } = clientThat(badGateway);
  await expect(rest[method](route)).rejects.toMatchObject({ status: 502 });
  expect(sent.count).toBe(4);
});

test('what never left says so', async () => {
  const { rest } = clientThat(failure('Error', 'ECONNREFUSED'));
  await expect(rest.post(followUp, { auth: false })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
