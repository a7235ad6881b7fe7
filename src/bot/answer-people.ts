import manifest from '../../package.json' with { type: 'json' };
import { createWatchRequests } from '../alerts/requests.ts';
import { createHealth } from '../app/health.ts';
import type { RecentNames } from '../app/names/recent-names.ts';
import { createViewers } from '../app/viewer.ts';
import type { Config } from '../base/config.ts';
import type { createBoards } from '../board/manager.ts';
import { pausedMessage } from '../cards/watch/made-text.ts';
import type { Answered } from '../discord/answer.ts';
import type { Connection } from '../discord/connection.ts';
import { createNotifier } from '../discord/direct-message.ts';
import { createDispatch } from '../discord/dispatch.ts';
import { type Commands, factsOf } from '../discord/load.ts';
import type { Publisher } from '../discord/publish.ts';
import type { createTranslators } from '../i18n/translator.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { CallStatistics } from '../service/call-statistics.ts';
import type { Service } from '../service/client.ts';
import type { Poll } from '../service/poll/poll.ts';
import { type Remembering, withHistory } from './open-history.ts';
import type { Memory, Outside } from './open-memory.ts';

/** The parts that read data for people and boards. */
export interface Reading extends Outside, Memory, Remembering {
  readonly calls: CallStatistics;
  readonly service: Service;
  readonly poll: Poll;
  readonly translatorFor: ReturnType<typeof createTranslators>;
}

export interface Connected extends Reading {
  readonly connection: Connection;
}

export interface WithCommands extends Connected {
  readonly commands: Commands;
}

interface Answering extends WithCommands {
  readonly boards: ReturnType<typeof createBoards>;
  readonly publisher: Publisher;
  readonly pictures: Pictures;
  /** Called after each interaction. */
  readonly onAnswered: ((answered: Answered) => void) | undefined;
}

/** Builds the answers to interactions, and direct messages. */
export function answerPeople(config: Config, parts: Answering) {
  const { store, recentNames, service, connection, boards, commands, publisher, translatorFor, log } = parts;
  const { history, hidden } = parts;
  const { links, guildSettings: settings, subscriptions, timeZones, claimInteraction } = store;
  const watches = createWatchRequests({
    ...{ watches: store.watches, hidden: hidden.all, access: connection.access },
  });
  const userData = withHistory(parts);
  const commandStore = { links, settings, subscriptions, timeZones, userData };
  const viewerOf = createViewers({
    ...{ translatorFor, service, store: commandStore },
    failed: (error) => log.warn({ err: error }, 'guild settings unreadable'),
  });
  const { budget, diagnose, onBug } = createHealth({
    ...{ clock: parts.clock, calls: parts.calls, latency: connection.latency, version: manifest.version },
    budget: () => store.ledger.snapshot(),
    boards: async (guildId) =>
      (await boards.list(guildId)).map(({ settings: { channelId, options }, access, headlineProblems }) => ({
        ...{ channelId, access, headlineProblems },
        voice: options.voice,
      })),
  });
  const bot = {
    ...{ commands: factsOf(commands), commandId: publisher.idOf, readmeUrl: config.readmeUrl },
    ...{ translatorFor, budget, diagnose },
  };
  const notify = createNotifier(connection.rest, log);
  const dispatch = createDispatch({
    context: {
      ...{ service, boards, watches, bot, store: commandStore, history, hidden },
      recentNames: withoutHidden(recentNames, hidden.isHidden),
    },
    ...{ commands, claimInteraction, translatorFor, viewerOf, notify, log, onBug, draw: parts.pictures.draw },
    now: parts.clock.now,
    onAnswered: parts.onAnswered,
    afterword: async (person, t) => {
      const why = await watches.takePauseNotice(person.id);
      return why === null ? null : pausedMessage(why, t);
    },
  });
  return { dispatch, viewerOf, notify };
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
