/** The convoys: what people ask of them, and what they do by themselves. */

import { createHash } from 'node:crypto';
import { SECOND } from '../../base/duration.ts';
import { repeatEvery } from '../../base/repeat-every.ts';
import { createRuns } from '../../base/runs.ts';
import type { Runtime } from '../../base/runtime.ts';
import { convoyPlace, type DeliveryClaim, type InTransaction } from '../../deliveries/ledger.ts';
import type { Recipient } from '../../deliveries/send-once.ts';
import { createScheduledEvents } from '../../discord/send/scheduled-events.ts';
import { type Core, defineFeature } from '../feature.ts';
import { type Convoy, REMIND_BEFORE } from './convoy.ts';
import { createConvoyEvents } from './convoy-events.ts';
import { createConvoyMessages } from './convoy-messages.ts';
import { convoyCollections, convoysByGuild, createConvoyRepository } from './convoy-repository.ts';
import { type ConvoyRequests, createConvoyRequests } from './convoy-requests.ts';
import { createConvoyRounds } from './convoy-rounds.ts';
import {
  cancelledText,
  eventGoneText,
  eventRefusedText,
  pingText,
  refusedText,
  reminderText,
} from './convoy-texts.ts';
import { planConvoys } from './demo.ts';
import { en } from './texts/en.ts';

declare module '../../command-kit/features.ts' {
  interface Features {
    readonly convoys: ConvoyRequests;
  }
}
declare module '../../i18n/translation.ts' {
  interface FeatureTexts {
    readonly convoy: (typeof en)['convoy'];
  }
}

/** In ms. */
const ROUND_INTERVAL_MS = 15 * SECOND;
/** Direct messages about convoys to one person: whoever makes them can move them again and again. */
const MAX_NOTICES_A_DAY = 10;

export const convoys = defineFeature({
  texts: en,
  collections: convoyCollections,
  counted: { collection: convoysByGuild, one: 'convoy', many: 'convoys' },
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
    sendOnce: { send },
    notices,
  }: Core,
  { clock, log, resources }: Runtime,
) {
  const { deliveries } = repositories;
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
  let soon = (): void => {};
  const mayMakeEvents = (guild: string): boolean => connection.mayInGuild(guild, 'CreateEvents');
  let runAgainAt = (_ms: number): void => {};
  const failed = (error: unknown): void => log.error({ err: error }, 'convoys failed');
  const runs = createRuns(clock, failed);

  /** Resolves with whether it is over; false: it was certainly not sent, or nobody wants it now, and may be tried again. */
  async function sendOnce(
    to: Recipient,
    claim: DeliveryClaim,
    message: { readonly content: string; readonly roles?: readonly string[] },
    isWanted: InTransaction<boolean>,
    refused: () => Promise<void> = async () => {},
  ): Promise<boolean> {
    let isUnwanted = false;
    const outcome = await send({
      id: `${claim.place} ${claim.key}`,
      to: [to],
      urgency: 'reminder',
      isDue: async () => (await deliveries.admitted(claim)).length > 0,
      prepare: async () => ({
        claim,
        async isWanted(transaction) {
          isUnwanted = !(await isWanted(transaction));
          return !isUnwanted;
        },
        compose: () => ({ roles: [], components: [], ...message }),
      }),
      again: runAgainAt,
    });
    if (outcome === 'refused') await refused();
    return !isUnwanted && outcome !== 'unsent' && outcome !== 'refused' && outcome !== 'waiting';
  }

  /** `about`: messages about the same are at least {@link REMIND_BEFORE} apart. */
  const claimFor = (personId: string, key: string, about: string): DeliveryClaim => ({
    ...{ key, place: convoyPlace(personId), watches: [about], at: clock.now() },
    ...{ cooldown: REMIND_BEFORE, most: MAX_NOTICES_A_DAY },
  });

  /** Tells the maker of a convoy something, once, while the convoy is as it was. */
  async function tellMaker(guild: string, convoy: Convoy, key: string, content: string): Promise<void> {
    const { madeBy: personId } = convoy;
    if (personId === '') return;
    await notices.send({
      to: { kind: 'direct', personId },
      claim: claimFor(personId, key, key),
      message: { content, components: [] },
      isWanted: (transaction) => convoyRepository.isAsItWas(transaction, guild, convoy),
    });
  }

  /** Pings the role of a new convoy in its channel, once. */
  async function ping(guild: string, convoy: Convoy): Promise<boolean> {
    const { id, channel, role, locale } = convoy;
    if (role === null) return true;
    const content = pingText({ ...convoy, role }, translatorFor(locale));
    const claim = {
      key: id,
      place: `convoy:${channel}`,
      watches: [id],
      at: clock.now(),
      cooldown: 0,
      most: null,
    };
    return sendOnce(
      { kind: 'channel', channelId: channel },
      claim,
      { content, roles: [role] },
      (transaction) => convoyRepository.isAsItWas(transaction, guild, convoy),
      () => tellRefused(guild, convoy, 'text', refusedText(convoy, translatorFor(locale))),
    );
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
    mayMakeEvents,
    ping: (guild, convoy) =>
      ping(guild, convoy).catch((error: unknown) => {
        log.error({ err: error }, 'convoy not pinged');
        return false;
      }),
    changed: () => soon(),
    random: Math.random,
  });
  const rounds = createConvoyRounds({
    stored: convoyRepository,
    boards,
    // A convoy waits for the bot to be invited again.
    holds: (guild) => shards.mayAct(guild) && connection.isThere(guild),
    history,
    driversIn: guildDrivers.in,
    remind(personId, guild, convoy) {
      const subject = `convoy ${convoy.id}`;
      const t = translatorFor(convoy.locale);
      const isCancelled = convoy.stage === 'cancelled';
      const key = isCancelled ? `${subject} cancelled` : `${subject} ${convoy.at}`;
      const content = isCancelled ? cancelledText(convoy, t) : reminderText(convoy, t);
      const claim = claimFor(personId, key, isCancelled ? key : subject);
      return sendOnce({ kind: 'direct', personId }, claim, { content }, (transaction) =>
        convoyRepository.isWanted(transaction, guild, convoy, personId),
      );
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

  return {
    requests,
    /** The card of each convoy, which boards keep up to date. */
    messages,
    belongings: convoyRepository,
    start(): void {
      const working = repeatEvery(clock, ROUND_INTERVAL_MS, rounds.round, failed);
      resources.defer(runs.stop);
      resources.defer(working.stop);
      runAgainAt = working.runWithin;
      soon = () => void working.now();
      soon();
    },
  };
}
