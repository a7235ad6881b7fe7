/** The convoys: what people ask of them, and what they do by themselves. */

import { createHash } from 'node:crypto';
import { SECOND } from '../../src/base/duration.ts';
import { StoreError } from '../../src/base/errors.ts';
import { createJob } from '../../src/base/job.ts';
import { createScheduledEvents } from '../../src/discord/send/scheduled-events.ts';
import { type Core, defineFeature, type FeatureRuntime } from '../../src/features/feature.ts';
import { isOver, type MessageOutcome } from '../../src/messages/outbox/outbox.ts';
import {
  cancelledText,
  eventGoneText,
  eventRefusedText,
  pingText,
  refusedText,
  reminderText,
} from './cards/convoy-texts.ts';
import { createConvoyEvents } from './jobs/convoy-events.ts';
import { createConvoyMessages } from './jobs/convoy-messages.ts';
import { createConvoyRounds } from './jobs/convoy-rounds.ts';
import type { Convoy } from './models/convoy.ts';
import { convoyCollections, convoysByGuild, createConvoyRepository } from './models/convoy-repository.ts';
import { type ConvoyRequests, createConvoyRequests } from './models/convoy-requests.ts';
import { planConvoys } from './models/demo.ts';
import { en } from './texts/en.ts';

declare module '../../src/command-kit/features.ts' {
  interface Features {
    readonly convoys: ConvoyRequests;
  }
}

const ROUND_INTERVAL_MS = 15 * SECOND;

export const convoys = defineFeature({
  texts: en,
  collections: convoyCollections,
  counted: { collection: convoysByGuild, one: 'convoy', many: 'convoys' },
  privacy: {
    // Only the driver's own account can show its convoys.
    isOn: async ({ proved, convoysShown }) => (proved === null ? null : convoysShown === true),
    set: (convoysShown, { hidden, person }) => hidden.setPrivacy(person.id, { convoysShown }),
    on: { action: 'convoys', label: 'convoy.privacy.show' },
    off: { action: 'alone', label: 'convoy.privacy.hide' },
  },
  create: createConvoys,
  writeDemo: planConvoys,
});

function createConvoys(
  {
    store,
    repositories,
    connection,
    guildDrivers,
    boards,
    shards,
    dataService,
    shownNames,
    history,
    translatorFor,
    outbox,
  }: Core<
    | 'rest'
    | 'userId'
    | 'isThere'
    | 'mayInGuild'
    | 'access'
    | 'audienceOf'
    | 'rightsOf'
    | 'mayView'
    | 'clockSkew'
    | 'isClockRight'
  >,
  { clock, log, runs, failed }: FeatureRuntime,
) {
  /** How far the clock of this machine is ahead of Discord's, in whole ms: times are stored, and ids are made of them. */
  const clockSkew = (): number => Math.round(connection.clockSkew() ?? 0);
  /** Discord's time in unix milliseconds, as far as it is known: an announcement counts from it as well. */
  const discordNow = (): number => clock.now() - clockSkew();
  const convoyRepository = createConvoyRepository(store.documents);
  const messages = createConvoyMessages({
    stored: convoyRepository,
    driversIn: guildDrivers.in,
    facts: () => dataService.poll.facts,
    nicknameOf: (username) => shownNames.nicknameOf(username),
    translatorFor,
    now: clock.now,
    discordNow,
    blocked: (guild, convoy) =>
      runs.start(`blocked ${convoy.id}`, () =>
        tellRefused(guild, convoy, 'text', refusedText(convoy, translatorFor(convoy.locale))),
      ),
  });
  const mayMakeEvents = (guild: string): boolean => connection.mayInGuild(guild, 'CreateEvents');

  /** False: the message was certainly not sent, or nobody wants it now, and it may be tried again. */
  const isDone = (outcome: MessageOutcome): boolean => isOver(outcome) || outcome === 'spared';

  /** Tells the maker of a convoy something, once, while the convoy is as it was. */
  async function tellMaker(guild: string, convoy: Convoy, key: string, content: string): Promise<void> {
    const { madeBy: personId } = convoy;
    if (personId === '') return;
    const outcome = await outbox.send({
      kind: 'convoy-notice',
      key,
      to: { kind: 'direct', personId },
      content,
      isWanted: (transaction) => convoyRepository.isAsItWas(transaction, guild, convoy),
    });
    if (outcome === 'lost') throw new StoreError('the maker of a convoy was not told');
  }

  /** Pings the role of a new convoy in its channel, once. */
  async function ping(guild: string, convoy: Convoy): Promise<boolean> {
    const { id, channel, role, locale } = convoy;
    if (role === null) return true;
    const t = translatorFor(locale);
    const content = pingText({ ...convoy, role }, t);
    const outcome = await outbox.send({
      kind: 'convoy-ping',
      key: id,
      to: { kind: 'channel', channelId: channel },
      compose: async () => () => ({ content, roles: [role] }),
      isWanted: (transaction) => convoyRepository.isAsItWas(transaction, guild, convoy),
      retry: round.runWithin,
    });
    if (outcome === 'refused') await tellRefused(guild, convoy, 'text', refusedText(convoy, t));
    return isDone(outcome);
  }

  /** Tells the maker, once for each title, that Discord does not take it. */
  function tellRefused(guild: string, convoy: Convoy, kind: string, content: string): Promise<void> {
    const title = createHash('sha256').update(convoy.title).digest('hex').slice(0, 16);
    return tellMaker(guild, convoy, `${kind} ${convoy.id} ${title}`, content);
  }

  const events = createConvoyEvents({
    stored: convoyRepository,
    events: createScheduledEvents(connection.rest, connection.userId, log),
    may: (guild) => shards.mayAct(guild) && mayMakeEvents(guild),
    audienceOf: connection.audienceOf,
    tellRefused: (guild, convoy) =>
      tellRefused(guild, convoy, 'event', eventRefusedText(convoy, translatorFor(convoy.locale))),
    tellGone: (guild, convoy) =>
      tellMaker(guild, convoy, `event ${convoy.id}`, eventGoneText(convoy, translatorFor(convoy.locale))),
    now: discordNow,
  });
  const requests = createConvoyRequests({
    stored: convoyRepository,
    cards: messages,
    boards,
    access: connection.access,
    async rightsOf(asker) {
      const { guild, roles = [] } = asker;
      const { convoyRole } = await repositories.guildSettings.of(guild);
      const rights = connection.rightsOf(guild, asker);
      if (rights === null) return 'unavailable';
      return { ...rights, isPlanner: convoyRole !== null && [guild, ...roles].includes(convoyRole) };
    },
    mayView: (asker, channel) => connection.mayView(asker.guild, channel, asker),
    audienceOf: connection.audienceOf,
    driversIn: guildDrivers.in,
    mayMakeEvents,
    ping: (guild, convoy) =>
      ping(guild, convoy).catch((error: unknown) => {
        log.error({ err: error }, 'convoy not pinged');
        return false;
      }),
    changed: () => void round.now(),
    random: Math.random,
  });
  const rounds = createConvoyRounds({
    stored: convoyRepository,
    boards,
    // A convoy waits for the bot to be invited again.
    holds: (guild) => shards.mayAct(guild) && connection.isThere(guild),
    history,
    driversIn: guildDrivers.in,
    async remind(personId, guild, convoy) {
      const subject = `convoy ${convoy.id}`;
      const t = translatorFor(convoy.locale);
      const isCancelled = convoy.stage === 'cancelled';
      const key = isCancelled ? `${subject} cancelled` : `${subject} ${convoy.at}`;
      const content = isCancelled ? cancelledText(convoy, t) : reminderText(convoy, t);
      const outcome = await outbox.send({
        kind: 'convoy-reminder',
        key,
        about: () => [isCancelled ? key : subject],
        to: { kind: 'direct', personId },
        notAfter: convoy.at + clockSkew(),
        compose: async () => () => ({ content }),
        isWanted: (transaction) => convoyRepository.isWanted(transaction, guild, convoy, personId),
        retry: round.runWithin,
      });
      return isDone(outcome);
    },
    ping,
    runs,
    keepEvent: events.keep,
    removeLeftEvents: () => events.removeLeft(shards.mayAct),
    isClockRight: async () => (await connection.isClockRight()) !== false,
    isGone: (guild, channel) => connection.audienceOf(guild, channel) === 'nobody',
    now: discordNow,
    clockSkew,
    random: Math.random,
  });

  const round = createJob(clock, ROUND_INTERVAL_MS, rounds.round, failed);

  return {
    requests,
    /** The card of each convoy, which boards keep up to date. */
    messages,
    belongings: convoyRepository,
    jobs: [round],
  };
}
