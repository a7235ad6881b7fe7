import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { boardCard } from '../../../src/cards/board/board-card.ts';
import { lookOf } from '../../../src/cards/board/board-look.ts';
import { buttonRow, type Card, refreshButton } from '../../../src/cards/kit/card.ts';
import { liveButtons, openableServers } from '../../../src/cards/servers/live-buttons.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { ChatStatus } from '../../../src/service/models/chat-status.ts';
import { type Answer, whyOld } from '../../../src/service/models/dated.ts';
import { type Fact, withoutAnswer } from '../../../src/service/models/facts.ts';
import type { LiveServer, LiveStatus } from '../../../src/service/models/live-status.ts';
import type { Overview } from '../../../src/service/models/overview.ts';

/** An answer, or why there is none. */
type AnswerOrReason<T> = Answer<T> | (Parameters<typeof whyOld>[0] & { readonly isMissing?: boolean });

/** The board's content as a single reply. `now` in unix milliseconds. */
export function serversCard(
  sources: {
    readonly overview: AnswerOrReason<Overview>;
    readonly chat: AnswerOrReason<ChatStatus>;
    readonly live: Readonly<Record<LiveServer, AnswerOrReason<LiveStatus>>>;
  },
  now: number,
  t: Translator,
): Card {
  const { overview, chat, live } = sources;
  const facts = {
    overview: factOf(overview),
    chat: factOf(chat),
    live: {
      one: factOf(live.one),
      two: factOf(live.two),
      three: factOf(live.three),
      four: factOf(live.four),
    },
    withoutFile: withoutAnswer(live),
    faults: { overview: faultOf(overview), chat: faultOf(chat) },
  };
  const look = lookOf(facts, newBoardOptions, now);
  const refresh = refreshButton({ command: 'servers', action: '', subject: '' }, t);
  const components = [buttonRow(...liveButtons(openableServers(look.shown), t, 'servers'), refresh)];
  return boardCard(look, newBoardOptions, t, { components });
}

function factOf<T>(source: AnswerOrReason<T>): Fact<T> | null {
  return 'fault' in source ? null : { ...source, unread: source.stale ?? undefined };
}

function faultOf(source: AnswerOrReason<unknown>) {
  return 'fault' in source ? whyOld(source) : undefined;
}
