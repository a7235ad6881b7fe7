/**
 * How long an interaction takes from the chat server to the reply, for a record that is cached, through everything
 * that is ours and the sandbox's chat: `node test/bench/dispatch.bench.ts`. Prints the median and the 99th percentile.
 */
import Keyv from 'keyv';
import { connect } from '../../src/discord/connect.ts';
import { createDispatch } from '../../src/discord/dispatch.ts';
import { loadCommands } from '../../src/discord/load.ts';
import { describeCommands, publishCommands } from '../../src/discord/publish.ts';
import { createLog } from '../../src/log.ts';
import { createReaders } from '../../src/reader.ts';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { createCache } from '../../src/service/cache.ts';
import { createClient } from '../../src/service/client.ts';
import { createWords } from '../../src/words/words.ts';
import { aboutBot } from '../support/about-bot.ts';
import { peopleInMemory } from '../support/people.ts';
import { driverJson } from '../support/records.ts';

const ROUNDS = 500;

const wordsFor = createWords();
const chat = await startChatServer();
const log = createLog({ level: 'silent', secrets: [] });
const people = peopleInMemory();
const cached = createCache({ keyv: new Keyv({ throwOnErrors: true }), clock: { now: Date.now } });
const service = createClient({
  layer: cached(async () => ({ body: driverJson, asOf: Date.now(), stale: null, rate: null })),
  places: { game: 'drivesim', chatPath: 'chat_status' },
});
const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const dispatch = createDispatch({
  commands,
  service,
  seen: { players: () => [], vins: () => [], playersNear: () => [], vinsNear: () => [] },
  ...people,
  ...aboutBot(),
  wordsFor,
  readerOf: createReaders({ wordsFor, service, ...people, failed: () => {} }),
  log,
});
const connection = await connect({ token: chat.token, apiUrl: chat.apiUrl, log, handle: dispatch.handle });
await publishCommands(
  connection.rest,
  { applicationId: connection.applicationId, guildId: null },
  describeCommands(commands, wordsFor, [], true),
);

const visitor = chat.visitor(chat.people[0] ?? '');
const place = chat.channels[0]?.id ?? '';
const times: number[] = [];
for (let round = -50; round < ROUNDS; round += 1) {
  const begun = performance.now();
  const { acknowledged } = await visitor.invoke(place, 'profile', [{ name: 'player', value: 'k3nny' }]);
  if (acknowledged !== 'replied') throw new Error(`the reply was ${acknowledged}`);
  if (round >= 0) times.push(performance.now() - begun);
}
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
console.log(`/profile from the cache: median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms`);

await connection.close();
await chat.close();
