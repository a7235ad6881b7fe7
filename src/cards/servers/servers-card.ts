import type { Translator } from '../../i18n/translator.ts';
import { newBoardOptions } from '../../service/models/board.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import { type Answer, type Dated, judge, whyOld } from '../../service/models/dated.ts';
import { type Facts, judgeFacts, newest } from '../../service/models/facts.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { boardContent } from '../board/board-content.ts';
import { inView, oldestShown } from '../board/board-view.ts';
import { buttons, type Card, card, refreshButton } from '../kit/card.ts';
import { asOf, oldData, partial } from '../kit/freshness.ts';
import { headline } from './headline.ts';
import { liveButtons, openable } from './live-buttons.ts';

/** An answer, or why there is none. */
type Source<T> = Answer<T> | Parameters<typeof whyOld>[0];

/** The card's sources; each can fail separately. */
interface ServersSources {
  readonly overview: Source<Overview>;
  readonly chat: Source<ChatStatus>;
  readonly live: Readonly<Record<LiveServer, Source<LiveStatus>>>;
}

/** The board's content as a single reply. `now` in unix milliseconds. */
export function serversCard(sources: ServersSources, now: number, t: Translator): Card {
  const { overview, chat, live } = sources;
  const answers = [overview, chat, ...Object.values(live)].flatMap((source) =>
    'fault' in source ? [] : [source],
  );
  // One warning for all where the servers are old, or everything is; another part that is old has its own mark.
  const isAllKept = isKept(answered(overview)) || answers.every(isKept);
  const [old] = isAllKept ? answers : [];
  const part = isAllKept ? withoutReason : answered;
  const facts: Facts = {
    overview: part(overview),
    chat: part(chat),
    // An old file counts as on a board: since then it is not known who is there.
    live: {
      one: answered(live.one),
      two: answered(live.two),
      three: answered(live.three),
      four: answered(live.four),
    },
  };
  const faults = [overview, chat].flatMap((source) => ('fault' in source ? whyOld(source) : []));
  // Data that lags behind the newest answer is stale.
  const last = newest(facts) ?? 0;
  const shown = inView(judgeFacts(facts, last), newBoardOptions);
  // Live files alone can stand still without a newer answer beside them.
  const isStopped = faults.length === 2 && judge({ asOf: last }, 'live', now) !== 'live';
  const state = isStopped ? t('board.lead.stale') : headline(shown, t);
  const refresh = refreshButton({ command: 'servers', action: '', subject: '' }, t);
  const content = {
    title: t('board.title'),
    lead: [old === undefined ? state : oldData(old, t), partial(faults, t)],
    sections: [
      ...boardContent(shown, newBoardOptions, t),
      { name: '\u200b', lines: [asOf({ asOf: oldestShown(shown) ?? Number.NaN }, t)] },
    ],
    components: [buttons(...liveButtons(openable(shown), t, 'servers'), refresh)],
  };
  return card(content, t);
}

function answered<T>(source: Source<T>): Answer<T> | null {
  return 'fault' in source ? null : source;
}

function withoutReason<T>(source: Source<T>): Dated<T> | null {
  return 'fault' in source ? null : { record: source.record, asOf: source.asOf };
}

/** Whether it is from before, since no newer one could be had. */
function isKept(answer: Answer<unknown> | null): boolean {
  return answer !== null && answer.stale !== null;
}
