import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { boardContent } from '../board/board-content.ts';
import { type Judged, type JudgedFacts, judged, newest, oldestShown } from '../board/board-facts.ts';
import { usualView } from '../board/board-view.ts';
import { ageOf } from '../kit/age.ts';
import { buttons, type Card, refreshButton } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData, partial, type Why } from '../kit/freshness.ts';
import { headline } from './headline.ts';
import { isCurrent } from './is-current.ts';
import { liveButtons, openable } from './live-buttons.ts';

/** An answer, or why there is none. */
type Source<T> = Answer<T> | { readonly fault: Why };

/** The card's sources; each can fail separately. */
export interface ServersSources {
  readonly overview: Source<Overview>;
  readonly chat: Source<ChatStatus>;
  readonly live: Readonly<Record<LiveServer, Source<LiveStatus>>>;
}

/** What was answered; null where nothing was. */
interface Facts {
  readonly overview: Answer<Overview> | null;
  readonly chat: Answer<ChatStatus> | null;
  readonly live: Readonly<Record<LiveServer, Answer<LiveStatus> | null>>;
}

/** The board's content as a single reply. `now` in unix milliseconds. */
export function serversCard(sources: ServersSources, now: number, t: Translator): Card {
  const { overview, chat, live } = sources;
  const facts: Facts = {
    overview: had(overview),
    chat: had(chat),
    live: { one: had(live.one), two: had(live.two), three: had(live.three), four: had(live.four) },
  };
  const answers = [facts.overview, facts.chat, ...Object.values(facts.live)].filter((each) => each !== null);
  // One warning for all where the servers are old, or everything is; another part that is old has its own mark.
  const isAllKept = isKept(facts.overview) || answers.every(isKept);
  const [old] = isAllKept ? answers : [];
  const faults = [overview, chat].flatMap((source) => ('fault' in source ? source.fault : []));
  // Data that lags behind the newest answer is old.
  const parts = judged(facts, newest(facts) ?? 0);
  const shown = isAllKept ? parts : withKept(parts, facts, now);
  // Live files alone can stand still without a newer answer beside them.
  const isStopped = faults.length === 2 && ageOf('live', newest(facts) ?? 0, now) !== 'fresh';
  const state = isStopped ? [t('board.lead.stale')] : headline(shown, t);
  const body = {
    title: t('board.title'),
    lead: [...(old === undefined ? state : oldData(old, t)), ...partial(faults, t)],
    sections: [
      ...boardContent(shown, usualView, t),
      asOf({ asOf: oldestShown(shown) ?? Number.NaN, stale: null }, t),
    ],
  };
  const refresh = refreshButton({ command: 'servers', action: '', subject: '' }, t);
  return { embeds: [embed(body, t)], components: [buttons(...liveButtons(openable(shown), t), refresh)] };
}

function had<T>(source: Source<T>): Answer<T> | null {
  return 'fault' in source ? null : source;
}

/** Whether it is from before, since no newer one could be had. */
function isKept(answer: Answer<unknown> | null): boolean {
  return answer !== null && answer.stale !== null;
}

/** With the members and files from before as old ones. A file of some seconds ago may be as good as the next one. */
function withKept(parts: JudgedFacts, { chat, live }: Facts, now: number): JudgedFacts {
  const aged = (
    part: Judged<LiveStatus> | null,
    answer: Answer<LiveStatus> | null,
  ): Judged<LiveStatus> | null =>
    part !== null && answer !== null && isKept(answer) && !isCurrent(answer, now)
      ? { ...part, old: true }
      : part;
  const { one, two, three, four } = parts.live;
  return {
    overview: parts.overview,
    chat: parts.chat !== null && isKept(chat) ? { ...parts.chat, old: true } : parts.chat,
    live: {
      one: aged(one, live.one),
      two: aged(two, live.two),
      three: aged(three, live.three),
      four: aged(four, live.four),
    },
  };
}
