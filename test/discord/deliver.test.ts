import { ChatInputCommandInteraction, Client } from 'discord.js';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { deliver } from '../../src/discord/deliver.ts';
import { createTranslators } from '../../src/i18n/translator.ts';

/** As discord.js builds one from Discord's data; its constructor is not public. */
function interactionOn(client: Client): ChatInputCommandInteraction {
  const user = { id: '4', username: 'anna', discriminator: '0', avatar: null, global_name: null };
  const place = { channel_id: '3', channel: { id: '3', type: 0 }, user, locale: 'en-GB' };
  const made: unknown = Reflect.construct(ChatInputCommandInteraction, [
    client,
    {
      ...{ id: '1', token: 'token', application_id: '2', version: 1, type: 2, ...place },
      ...{ entitlements: [], app_permissions: '0', authorizing_integration_owners: {} },
      data: { id: '5', name: 'ask', type: 1, options: [] },
    },
  ]);
  if (!(made instanceof ChatInputCommandInteraction)) throw new TypeError('no interaction');
  return made;
}

test.for([
  ['of its own haste', 429, 0],
  ...(['UnknownInteraction', 'UnknownMessage', 'UnknownChannel', 'UnknownGuild'] as const).map(
    (name) => [`of ${name}`, 404, RESTJSONErrorCodes[name]] as const,
  ),
  ['of InvalidWebhookToken', 401, RESTJSONErrorCodes.InvalidWebhookToken],
] as const)(
  'a reply that Discord does not take because %s is no bug, and asks nothing more of it',
  async ([_why, status, code]) => {
    let requests = 0;
    const headers = { 'content-type': 'application/json', 'retry-after': '3600' };
    await using client = new Client({
      intents: [],
      rest: {
        rejectOnRateLimit: () => true,
        async makeRequest() {
          requests += 1;
          return new Response(JSON.stringify({ code, message: 'no', retry_after: 3600 }), {
            status,
            headers,
          });
        },
      },
    });
    client.rest.setToken('none');
    const bugs: unknown[] = [];
    const { result } = await deliver(
      { to: 'public', interaction: interactionOn(client) },
      Promise.resolve({ reply: { content: 'Here.' }, png: null, result: 'answered' }),
      {
        ...{ id: 'ab12cd34', t: createTranslators()('en-GB'), deferAfter: 1000 },
        ...{ log: createLog({ level: 'silent', secrets: [] }), onBug: (error: unknown) => bugs.push(error) },
      },
    );
    expect({ result, requests, bugs }).toEqual({ result: 'failed', requests: 1, bugs: [] });
  },
);
