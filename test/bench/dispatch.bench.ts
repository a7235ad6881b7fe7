/** How long an interaction takes from the chat server to the reply, through everything that is ours, cached. */

import Keyv from 'keyv';
import { afterAll, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { createConnection } from '../../src/discord/connection.ts';
import { createDispatch } from '../../src/discord/interactions/dispatch.ts';
import { describeCommands } from '../../src/discord/publish/describe-commands.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import { createPublisher } from '../../src/discord/publish/publish.ts';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { createCache } from '../../src/service/cache/cache.ts';
import { createClient } from '../../src/service/client.ts';
import { createDocumentClaims } from '../../src/store/claims.ts';
import { contextParts } from '../support/context.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { peopleInMemory } from '../support/people.ts';
import { driverJson } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const translatorFor = createTranslators();
const chat = await startChatServer();
const log = createLog({ level: 'silent', secrets: [] });
const people = peopleInMemory();
const cached = createCache({
  keyv: new Keyv({ throwOnErrors: true }),
  shared: false,
  clock: systemClock,
});
const service = createClient({
  layer: cached(async () => ({ body: driverJson, asOf: Date.now(), stale: null, rate: null })),
  places: { game: 'drivesim', chatPath: 'chat_status' },
});
const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const dispatch = createDispatch({
  mayAnswer: async () => true,
  commands,
  claims: createDocumentClaims(documentsInMemory()),
  context: contextParts({ service, ...people }),
  notify: async () => {},
  translatorFor,
  clock: systemClock,
  viewerOf: createViewers({ translatorFor, service, store: people.store, failed: () => {} }),
  log,
});
const connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
connection.onInteraction(dispatch.handle);
await connection.connect({ id: 0, count: 1 });
const application = await connection.application();
const payloads = describeCommands(commands, translatorFor, [], true);
await createPublisher(connection.rest, null, payloads, log).publish(application);

const visitor = chat.visitor(chat.people[0] ?? '');
const place = chat.channels[0]?.id ?? '';

afterAll(async () => {
  await connection.close();
  await chat.close();
});

test('a cached record: from the command in chat to its reply', async ({ bench }) => {
  await bench.compare(
    bench('/profile', async () => {
      await visitor.invoke(place, 'profile', [{ name: 'player', value: 'k3nny' }]);
    }),
    bench('/help, which asks for nothing', async () => {
      await visitor.invoke(place, 'help', []);
    }),
  );
});
