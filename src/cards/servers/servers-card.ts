import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { boardContent } from '../board/board-content.ts';
import { type BoardFacts, judged, newest, oldestShown } from '../board/board-facts.ts';
import { usualView } from '../board/board-view.ts';
import { buttons, type Card, refreshButton } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData, partial, type Why } from '../kit/freshness.ts';
import { headline } from './headline.ts';
import { liveButtons, openable } from './live-buttons.ts';

/** An answer, or why there is none. */
type Source<T> = Answer<T> | { readonly fault: Why };

/** The card's sources; each can fail separately. */
export interface ServersSources {
  readonly overview: Source<Overview>;
  readonly chat: Source<ChatStatus>;
  readonly live: Readonly<Record<LiveServer, Source<LiveStatus>>>;
}

/** The board's content as a single reply. */
export function serversCard(sources: ServersSources, t: Translator): Card {
  const { overview, chat, live } = sources;
  const facts: BoardFacts = {
    overview: had(overview),
    chat: had(chat),
    live: { one: had(live.one), two: had(live.two), three: had(live.three), four: had(live.four) },
  };
  const all = [overview, chat, ...Object.values(live)];
  // One warning for all: old sources share one cause, and the overview comes first because it matters most.
  const old = all.flatMap((source) => ('fault' in source ? [] : source)).find(({ stale }) => stale !== null);
  // A server without a live file is not a fault; its line says that its duty is unknown.
  const faults = [overview, chat].flatMap((source) => ('fault' in source ? source.fault : []));
  // A card has no clock: data that lags behind the newest answer is old.
  const shown = judged(facts, newest(facts) ?? 0);
  const body = {
    title: t('board.title'),
    lead: [...(old === undefined ? headline(shown, t) : oldData(old, t)), ...partial(faults, t)],
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
