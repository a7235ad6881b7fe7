import manifest from '../../package.json' with { type: 'json' };
import { createWatchRequests } from '../alerts/requests.ts';
import type { ContextParts } from '../app/context.ts';
import { createHealth } from '../app/health.ts';
import type { RecentNames } from '../app/names/recent-names.ts';
import { pausedMessage } from '../cards/watch/made-text.ts';
import type { Answered } from '../discord/answer.ts';
import { createDispatch, type Dispatch } from '../discord/dispatch.ts';
import { factsOf } from '../discord/load.ts';
import type { Pictures } from '../pictures/pictures.ts';
import { withHistory } from './driver-history.ts';
import type { Parts } from './parts.ts';
import type { Runtime } from './runtime.ts';

interface Answering {
  readonly readmeUrl: string | null;
  readonly pictures: Pictures;
  /** Called after each interaction. */
  readonly onAnswered: ((answered: Answered) => void) | undefined;
}

/** The answers to interactions. */
export function createAnswers(
  parts: Parts,
  { readmeUrl, pictures, onAnswered }: Answering,
  { clock, log }: Runtime,
): Dispatch {
  const { store, connection, driverHistory, dataService, boards, commands, translatorFor } = parts;
  const { history, hidden } = driverHistory;
  const watches = createWatchRequests({
    watches: store.watches,
    hidden: hidden.all,
    access: connection.access,
  });
  const { budget, diagnose, onBug } = createHealth({
    clock,
    version: manifest.version,
    calls: dataService.calls,
    latency: connection.latency,
    budget: () => store.ledger.snapshot(),
    boards: async (guildId) =>
      (await boards.list(guildId)).map(({ settings: { channelId, options }, access, headlineProblems }) => ({
        channelId,
        access,
        headlineProblems,
        voice: options.voice,
      })),
  });
  const context: ContextParts = {
    service: dataService.service,
    recentNames: withoutHidden(parts.recentNames, hidden.isHidden),
    boards,
    watches,
    store: commandStore(parts, log),
    history,
    hidden,
    bot: {
      commands: factsOf(commands),
      commandId: parts.publisher.idOf,
      readmeUrl,
      translatorFor,
      budget,
      diagnose,
    },
  };
  return createDispatch({
    context,
    commands,
    claimInteraction: store.claimInteraction,
    translatorFor,
    viewerOf: parts.viewerOf,
    notify: parts.notify,
    log,
    onBug,
    draw: pictures.draw,
    now: clock.now,
    onAnswered,
    afterword: async (person, t) => {
      const why = await watches.takePauseNotice(person.id);
      return why === null ? null : pausedMessage(why, t);
    },
  });
}

function commandStore(
  { store, driverHistory, recentNames }: Parts,
  log: Runtime['log'],
): ContextParts['store'] {
  const { links, guildSettings: settings, subscriptions, timeZones } = store;
  const userData = withHistory({ store, log, ...driverHistory, recentNames });
  return { links, settings, subscriptions, timeZones, userData };
}

/** Suggestions without hidden drivers. */
function withoutHidden(names: RecentNames, isHidden: (username: string) => boolean): RecentNames {
  const shown = (found: readonly string[]): readonly string[] => found.filter((name) => !isHidden(name));
  return {
    ...names,
    players: (typed) => shown(names.players(typed)),
    playersNear: (typed) => shown(names.playersNear(typed)),
    // Whether an in-game name is one driver's only was judged among all of them: hiding makes no guess right.
    playersCalled: (typed) => names.playersCalled(typed).filter(({ username }) => !isHidden(username)),
  };
}
