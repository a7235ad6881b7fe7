import manifest from '../../package.json' with { type: 'json' };
import { createWatchRequests } from '../alerts/watch-requests.ts';
import type { ContextParts } from '../app/context.ts';
import { createHealth } from '../app/health.ts';
import type { Runtime } from '../base/runtime.ts';
import type { AnswerReport } from '../discord/interactions/answer.ts';
import { createDispatch } from '../discord/interactions/dispatch.ts';
import { factsOf } from '../discord/publish/load.ts';
import { createOwnData } from '../people/own-data.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Bot } from './bot.ts';
import { forgetting } from './states.ts';

/** The answers to interactions. */
export function createAnswers(
  bot: Bot,
  parts: {
    readonly readmeUrl: string | null;
    readonly pictures: Pictures;
    /** Called after each interaction. */
    readonly onAnswered: ((answered: AnswerReport) => void) | undefined;
  },
  { clock, log }: Runtime,
): ReturnType<typeof createDispatch> {
  const { readmeUrl, pictures, onAnswered } = parts;
  const { store, states, connection, hidden, dataService, boards, commands, translatorFor } = bot;
  const watches = createWatchRequests({
    watches: states.watches,
    unwatched: hidden.unwatched,
    access: connection.access,
    pastAt: bot.pastAt,
    outages: bot.outages,
  });
  const { budget, diagnose, onBug } = createHealth({
    clock,
    version: manifest.version,
    calls: dataService.calls,
    latency: connection.latency,
    ledger: dataService.ledger,
    boards,
    store() {
      const { writes, history } = bot.storeHealth();
      return { saves: writes === null, hasHistory: history === null };
    },
  });
  const context: ContextParts = {
    service: dataService.service,
    poll: dataService.poll,
    recentNames: bot.shownNames,
    boards,
    watches,
    roles: bot.roles.requests,
    convoys: bot.convoys.requests,
    store: commandStore(bot),
    history: bot.history,
    hidden,
    bot: {
      commands: factsOf(commands),
      commandId: bot.publisher.idOf,
      readmeUrl,
      translatorFor: bot.answersIn,
      budget,
      diagnose,
    },
  };
  return createDispatch({
    context,
    commands,
    claims: store.claims,
    cluster: bot.cluster,
    translatorFor,
    viewerOf: bot.viewerOf,
    notify: bot.notify,
    log,
    onBug,
    draw: pictures.draw,
    clock,
    afterwards: [states.pauseNotices.message],
    onAnswered,
  });
}

function commandStore(bot: Bot): ContextParts['store'] {
  const { store, states, recentNames, hidden, forgetDriver } = bot;
  const { links, proofs, guildSettings: settings, timeZones } = states;
  const userData = createOwnData({
    states,
    store,
    forgetting,
    hidden,
    names: recentNames,
    forgetDriver,
  });
  return { links, proofs, settings, timeZones, userData };
}
