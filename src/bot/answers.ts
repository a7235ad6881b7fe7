import manifest from '../../package.json' with { type: 'json' };
import { SECOND } from '../base/duration.ts';
import { logFailures } from '../base/log.ts';
import type { Runtime } from '../base/runtime.ts';
import type { ContextParts } from '../command-kit/context.ts';
import { createOwnData } from '../community/accounts/own-data.ts';
import type { AnswerReport } from '../discord/interactions/answer.ts';
import { createDispatch } from '../discord/interactions/dispatch.ts';
import { listFacts } from '../discord/publish/load.ts';
import type { Bot } from './bot.ts';
import { collections, ownerOf } from './collections.ts';
import { createHealth } from './health.ts';

/** How long Discord waits for the first answer to an interaction, in ms. */
const ANSWER_WITHIN_MS = 3 * SECOND;

/** The answers to interactions. `onAnswered`: called after each of them. */
export function createAnswers(
  bot: Bot,
  readmeUrl: string | null,
  onAnswered: ((answered: AnswerReport) => void) | undefined,
  { clock, log }: Runtime,
) {
  const { repositories, connection, hidden, dataService, boards, commands } = bot;
  const { budget, diagnose, onBug } = createHealth(bot, { clock, version: manifest.version });
  const context: ContextParts = {
    service: dataService.service,
    poll: dataService.poll,
    recentNames: bot.shownNames,
    boards,
    features: bot.features.requests,
    store: {
      ...repositories,
      userData: createOwnData({
        ...bot,
        documents: bot.store.documents,
        isShared: bot.store.isShared,
        collections,
        links: repositories.links,
        names: bot.recentNames,
        failed: (collection, error) => logFailures(log, ownerOf(collection))(error),
      }),
    },
    history: bot.history,
    hidden,
    bot: {
      commands: listFacts(commands),
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
    isContested: () => !bot.shards.isSure(),
    async mayAnswer(id) {
      if (!(await bot.shards.mayAnswer())) return false;
      const age = await connection.ageOf(id);
      return age !== null && age <= ANSWER_WITHIN_MS;
    },
    translatorFor: bot.translatorFor,
    viewerOf: bot.viewerOf,
    notify: (personId, content, key) =>
      bot.outbox.send({ kind: 'correction-notice', key, to: { kind: 'direct', personId }, content }),
    log,
    onBug,
    pictures: bot.pictures,
    clock,
    afterwards: bot.features.afterwards,
    onAnswered,
  });
}
