import { createLookUps } from '../alerts/look-ups.ts';
import { createWatchRounds } from '../alerts/rounds.ts';
import type { Watch } from '../alerts/watches.ts';
import { createAlertSender } from '../discord/send-alert.ts';
import { createQuestions } from '../history/questions.ts';
import type { Observations } from '../service/observations.ts';
import type { Keeping } from '../shards/keeping.ts';
import type { answerPeople, Connected } from './answer-people.ts';
import { runWatches } from './jobs.ts';

interface WatchParts extends Connected, Pick<ReturnType<typeof answerPeople>, 'viewerOf'> {
  readonly observations: Observations;
  readonly keeping: Keeping;
}

/** The alerts at work, until `open` closes. */
export function startWatches(parts: WatchParts, open: AsyncDisposableStack): void {
  const { store, service, poll, clock, log, connection, viewerOf, observations, hidden, keeping } = parts;
  const failed = (error: unknown): void => log.error({ err: error }, 'alerts failed');
  const rounds = createWatchRounds({
    ...{ watches: store.watches, deliveries: store.deliveries, clock, poll, hidden: hidden.all, failed },
    keeps: () => keeping.keeps(null),
    lookUp: createLookUps({ service, clock, failed }),
    send: createAlertSender(connection.rest, log),
    translatorOf: async ({ person: id, place, locale }: Watch) => {
      const guildId = place.kind === 'channel' ? place.guild : null;
      return (await viewerOf({ id, guildId, channelId: null, mayManage: false, locale })).t;
    },
    pastAt: (at) =>
      createQuestions({ chunks: store.history, clock: { now: () => at }, isHidden: hidden.isHidden }),
    doubtful: (count) =>
      log.warn({ count }, 'interrupted alerts may have been sent; they are not sent again'),
  });
  open.defer(observations.listen(rounds.observed));
  open.defer(rounds.stop);
  open.defer(runWatches(rounds.round, clock));
}
