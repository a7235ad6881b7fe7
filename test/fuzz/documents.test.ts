import fc from 'fast-check';
import { MockAgent } from 'undici';
import { expect, test } from 'vitest';
import { carCard } from '../../commands/cars/cards/car-card.ts';
import { compareCard } from '../../commands/drivers/cards/compare-card.ts';
import { garageCard } from '../../commands/drivers/cards/garage-card.ts';
import { optionsCard } from '../../commands/drivers/cards/options-card.ts';
import { profileCard, views } from '../../commands/drivers/cards/profile-card.ts';
import { dutyCard } from '../../commands/servers/cards/duty-card.ts';
import { liveCard } from '../../commands/servers/cards/live-card.ts';
import { membersCard } from '../../commands/servers/cards/members-card.ts';
import { serversCard } from '../../commands/servers/cards/servers-card.ts';
import { slotsCard } from '../../commands/servers/cards/slots-card.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { languages } from '../../src/base/languages.ts';
import { orders } from '../../src/cards/car/garage-page.ts';
import type { Card } from '../../src/cards/kit/card.ts';
import { faultMessage } from '../../src/i18n/fault-message.ts';
import type { Translator } from '../../src/i18n/translator.ts';
import { createClient, type Service } from '../../src/service/client.ts';
import { car, chatStatus, live, options, overview, profile } from '../../src/service/endpoints.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { key, places } from '../service/loopback.ts';
import * as documents from '../support/documents.ts';
import { breaches } from '../support/embed-limits.ts';
import { strayMarkup } from '../support/markup.ts';
import { createTranslators } from '../support/translators.ts';
import { type Mutation, mutate, mutations, withTextReplaced } from './mutate.ts';

/** Each run has a seed of its own; `npm run fuzz` has twenty times as many. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const url = 'https://data.example';
/** With bars of pictures, which are the longer ones. */
const translatorFor = createTranslators();
const username = 'rallymum';

type Draw = (service: Service, t: Translator) => Promise<readonly (() => Card)[]>;

/** Every card that shows a record; each is drawn only when it is its turn. */
const driver: Draw = async ({ get }, t) => {
  const answer = await get(profile, { username });
  return [
    ...views.map((view) => () => profileCard(answer, view, t)),
    ...orders.map((order) => () => garageCard(answer, { order, page: 1 }, t)),
    () => compareCard(answer, { ...answer, record: { ...answer.record, username: 'other' } }, t),
  ];
};
const vehicle: Draw = async ({ get }, t) => {
  const answer = await get(car, { vin: 'BBBCD' });
  return [() => carCard(answer, t)];
};
const settings: Draw = async ({ get }, t) => {
  const answer = await get(options, { username });
  return [() => optionsCard({ username, nickname: null }, answer, t)];
};
const nothing = { fault: 'unavailable' } as const;
const liveFile: Draw = async ({ get }, t) => {
  const answer = await get(live, { server: 'two' });
  const sources = { one: answer, two: answer, three: nothing, four: answer };
  return [
    () => liveCard(answer, { server: 'two', from: null, listed: null, wanted: 0, now: Date.now() }, t),
    () => dutyCard(sources, answer.asOf, t),
    () => serversCard({ overview: nothing, chat: nothing, live: sources }, answer.asOf, t),
  ];
};
const none = { one: nothing, two: nothing, three: nothing, four: nothing };
const allServers: Draw = async ({ get }, t) => {
  const answer = await get(overview, {});
  return [
    () => slotsCard(answer, [], t),
    () => serversCard({ overview: answer, chat: nothing, live: none }, answer.asOf, t),
  ];
};
const chat: Draw = async ({ get }, t) => {
  const answer = await get(chatStatus, {});
  return [
    () => membersCard(answer, 0, t),
    () => serversCard({ overview: nothing, chat: answer, live: none }, answer.asOf, t),
  ];
};

const subjects: readonly (readonly [document: unknown, draw: Draw])[] = [
  [documents.profileCamelCase, driver],
  [documents.profileFull, driver],
  [documents.profileLater, driver],
  [documents.carOldSpelling, vehicle],
  [{ ...documents.carFirstHand, vin: 'BBBCD' }, vehicle],
  [documents.optionsAsNumbers, settings],
  [documents.optionsAsText, settings],
  [documents.liveFirst, liveFile],
  [documents.liveLater, liveFile],
  [documents.overviewFive, allServers],
  [documents.chatOld, chat],
  [documents.chatWidget, chat],
];

/** How the whole of an answer arrives. */
const arrivals = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ status: 200, as: 'it is' } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      status: fc.constantFrom(200, 204, 301, 400, 401, 403, 404, 429, 500, 501, 503),
      as: fc.constantFrom('it is', 'cut', 'a list', 'an error', 'a page', 'an echo'),
    }),
  },
);

function textOf(body: unknown, as: string): string {
  const text = JSON.stringify(body) ?? '';
  if (as === 'cut') return text.slice(0, text.length / 2);
  if (as === 'a list') return `[${text}]`;
  if (as === 'an error') return `{"error":${text}}`;
  if (as === 'a page') return `<html>${text}</html>`;
  // Some servers repeat the address that was asked for, and the key with it.
  if (as === 'an echo') return text.replace(/^\{/, `{"request":${JSON.stringify(`${url}/?key=${key}`)},`);
  return text;
}

/** Not what a person may read: our own values, a figure that is none, or the key. */
const leaks = /\b(?:null|NaN|undefined|Infinity)\b|∞|\[object|Invalid Date|<t:-?\d*[.e]|\{\{|sEcReT/;

function expectSound(card: Card, turn: number): void {
  expect(breaches(card)).toEqual([]);
  expect(JSON.stringify(card)).not.toMatch(leaks);
  // The parser takes longer than all the rest: every third card has to do.
  if (turn % 3 === 0) expectNoMarkup(card);
}

function expectNoMarkup({ embeds: [embed] }: Card): void {
  // The age of a card is its one small line, at the end.
  const aged = (text = '') => text.replace(/(?:^|\n)-# [^\n]*$/, '');
  const fields = embed.fields ?? [];
  // An invite to the Discord server is the one address that is meant to be a link.
  const description = (embed.description ?? '').replaceAll(/https:\/\/discord\.\S+/g, '');
  const parts =
    fields.length === 0
      ? { description: aged(description) }
      : { description, fields: fields.with(-1, { name: 'last', value: aged(fields.at(-1)?.value) }) };
  expect(strayMarkup({ ...embed, ...parts })).toEqual([]);
}

/** A client of a service that answers as is said last. */
function serving() {
  const agent = new MockAgent();
  agent.disableNetConnect();
  let sent = { status: 200, text: '' };
  agent
    .get(url)
    .intercept({ path: () => true })
    .reply(() => ({ statusCode: sent.status, data: sent.text }))
    .persist();
  const { layer } = createTransport({ url, key, dispatcher: agent });
  return {
    service: createClient({ layer, places }),
    send(status: number, text: string): void {
      sent = { status, text };
    },
    close: () => agent.close(),
  };
}

test('a text of a document is no markup in any card of it, whichever text that is', async () => {
  const { service, send, close } = serving();
  let shown = 0;
  for (const [document, draw] of subjects)
    for (const changed of withTextReplaced(document, '_a_ **b** [c](https://c.example) `d` <@1>')) {
      send(200, JSON.stringify(changed));
      // Where the text was a key of the record, there is none.
      const cards = await draw(service, translatorFor('en')).catch(() => []);
      for (const card of cards) expectNoMarkup(card());
      shown += cards.length;
    }
  await close();
  expect(shown).toBeGreaterThan(400);
});

test(`${RUNS} mutated documents are records or faults, every card sound`, {
  timeout: 300_000,
}, async () => {
  process.stdout.write(`documents: FUZZ_SEED=${seed}\n`);
  const { service, send, close } = serving();
  const seen = { records: 0, faults: new Map<string, number>() };

  async function look(draw: Draw, t: Translator, turn: number): Promise<void> {
    try {
      const cards = await draw(service, t);
      seen.records += 1;
      const card = cards[turn % cards.length];
      if (card !== undefined) expectSound(card(), turn);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      seen.faults.set(error.fault, (seen.faults.get(error.fault) ?? 0) + 1);
      expect(faultMessage(error, t, Date.now())).not.toMatch(leaks);
      expect(`${error.message} ${error.stack}`).not.toContain(key);
    }
  }

  const subject = fc.constantFrom(...subjects);
  const locale = fc.constantFrom(...languages, 'ru', 'ja', 'ar');
  await fc.assert(
    fc.asyncProperty(
      subject,
      mutations,
      arrivals,
      locale,
      fc.nat(99),
      async ([document, draw], changes: readonly Mutation[], { status, as }, language, turn) => {
        send(status, textOf(mutate(document, changes), as));
        await look(draw, translatorFor(language), turn);
      },
    ),
    { numRuns: RUNS, seed },
  );
  await close();
  // Most are still records, and each kind of fault was met.
  expect(seen.records).toBeGreaterThan(RUNS / 2);
  expect([...seen.faults.keys()].toSorted()).toEqual(
    expect.arrayContaining([
      'bad-response',
      'not-found',
      'over-budget',
      'rejected',
      'unauthorised',
      'unavailable',
    ]),
  );
});
