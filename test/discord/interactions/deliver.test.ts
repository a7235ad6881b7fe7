import {
  ApplicationCommandType,
  ChannelType,
  InteractionType,
  Locale,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { createInteraction, type Interaction } from '../../../src/discord/interaction.ts';
import { deliver } from '../../../src/discord/interactions/deliver.ts';
import { createRestClient, type Rest } from '../../../src/discord/rest/rest-client.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';

function interactionOn(rest: Rest): Interaction {
  const user = { id: '4', username: 'anna', discriminator: '0', avatar: null, global_name: null };
  return createInteraction(
    {
      id: '1',
      token: 'token',
      application_id: '2',
      version: 1,
      type: InteractionType.ApplicationCommand,
      channel_id: '3',
      channel: { id: '3', type: ChannelType.GuildText },
      user,
      locale: Locale.EnglishGB,
      entitlements: [],
      app_permissions: '0',
      attachment_size_limit: 0,
      authorizing_integration_owners: {},
      data: { id: '5', name: 'ask', type: ApplicationCommandType.ChatInput },
    },
    rest,
    new Map(),
  );
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
    const client = createRestClient({
      token: 'none',
      apiUrl: null,
      rejectOnRateLimit: () => true,
      async makeRequest() {
        requests += 1;
        const refusal = JSON.stringify({ code, message: 'no', retry_after: 3600 });
        return new Response(refusal, { status, headers });
      },
    });
    const bugs: unknown[] = [];
    const told = { log: createLog({ level: 'silent', secrets: [] }), clock: systemClock };
    const onBug = (error: unknown) => bugs.push(error);
    const reporting = Promise.resolve({ ...told, id: 'ab12cd34', t: createTranslators()('en-GB'), onBug });
    const { result } = await deliver(
      { to: 'public', interaction: interactionOn(client) },
      Promise.resolve({ reply: { content: 'Here.' }, png: null, result: 'answered' }),
      { deferAfter: 1000, ...told, reporting },
    );
    expect({ result, requests, bugs }).toEqual({ result: 'failed', requests: 1, bugs: [] });
  },
);
