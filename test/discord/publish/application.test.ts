import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { Application, allowedPayloads, withPeople } from '../../../src/discord/publish/application.ts';
import { allCommands, allPayloads } from '../../../src/discord/publish/commands.ts';
import { createPublisher } from '../../../src/discord/publish/publish.ts';
import { createTranslators } from '../../support/translators.ts';

const commands = await allCommands();
const everywhere = await allPayloads(commands, createTranslators(), true);
const inOneGuild = await allPayloads(commands, createTranslators(), false);
const log = createLog({ level: 'silent', secrets: [] });

const forServers = Application.parse({ id: '7', integration_types_config: { 0: {} } });
const forPeople = Application.parse({ id: '7', integration_types_config: { 0: {}, 1: {} } });
const unsaid = Application.parse({ id: '7' });

/** What is published for an application that had `there`; null: nothing is. */
async function publishedOver(there: unknown, application: Application, payloads = everywhere) {
  let put: unknown = null;
  const rest = {
    get: async () => there,
    put: async (_route: unknown, options: { readonly body?: unknown } = {}) => {
      put = options.body;
      return [];
    },
  };
  await createPublisher(rest, payloads === inOneGuild ? '1' : null, payloads, log).publish(application);
  return put;
}

describe('an application that is for servers alone', () => {
  const clipped = allowedPayloads(everywhere, forServers);

  test('gets every command for servers, and for the direct messages with the bot', () => {
    expect(clipped.map(({ name }) => name)).toEqual(everywhere.map(({ name }) => name));
    expect(clipped.every((each) => each.integration_types?.join() === '0')).toBe(true);
    expect(new Set(clipped.map(({ contexts }) => contexts?.join()))).toEqual(new Set(['0', '0,1']));
    expect(new Set(everywhere.map(({ contexts }) => contexts?.join()))).toEqual(new Set(['0', '0,1,2']));
  });

  test('publishes once, and again as soon as people may add it to their accounts', async () => {
    expect(await publishedOver([], forServers)).toEqual(clipped);
    expect(await publishedOver(clipped, forServers)).toBeNull();
    expect(await publishedOver(clipped, forPeople)).toEqual(everywhere);
    expect(await publishedOver(everywhere, forPeople)).toBeNull();
  });

  test('is published to again where Discord has clipped the list', async () => {
    const cut = everywhere.map((each) => ({ ...each, integration_types: [0] }));
    expect(await publishedOver(cut, forPeople)).toEqual(everywhere);
  });

  test('can be changed; what its servers grant stays', () => {
    const guild = { oauth2_install_params: { scopes: ['bot'], permissions: '8' } };
    const person = { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } };
    const own = { integration_types_config: { 0: guild } };
    expect(withPeople(own)).toEqual({ integration_types_config: { 0: guild, 1: person } });
    expect(withPeople(unsaid)).toMatchObject({ integration_types_config: { 1: person } });
  });
});

test('an application that says nothing about it gets all of them', async () => {
  expect(await publishedOver([], unsaid)).toEqual(everywhere);
});

test('commands of one guild are the same whatever Discord says of their installs', async () => {
  const there = inOneGuild.map((each) => ({ ...each, integration_types: [0, 1], contexts: null }));
  expect(await publishedOver(there, forServers, inOneGuild)).toBeNull();
});
