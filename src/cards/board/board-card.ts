import { MINUTE } from '../../base/duration.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { BoardMode } from '../../service/models/board.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { type Card, card, type Section } from '../kit/card.ts';
import { joined } from '../kit/lines.ts';
import { headline } from '../servers/headline.ts';
import { boardContent } from './board-content.ts';
import type { BoardView, PartTimes } from './board-view.ts';

/** A board's status and its times in ms; one that is null is omitted. */
export interface BoardLook {
  readonly mode: BoardMode;
  /** The times of what is shown; of the last data of all where nothing may be shown. In unix time. */
  readonly checked: PartTimes | number | null;
  /** How long it takes until the board is updated again, where that is slower than usual. */
  readonly round: number | null;
}

/**
 * The live board: servers and members, and below them a status line. Apart from its times, the same facts
 * always give the same card. `facts`: those of the view.
 */
export function boardCard(facts: JudgedFacts, view: BoardView, look: BoardLook, t: Translator): Card {
  const { mode } = look;
  const content = {
    title: t('board.title'),
    // Above the figures, so that nobody takes old ones for new; old parts among new ones have their own mark.
    lead: mode === 'live' || mode === 'partly-stale' ? [headline(facts, t)] : [t(`board.lead.${mode}`)],
    // After so long, a number would mislead.
    sections: [...(mode === 'no-data' ? [] : boardContent(facts, view, t)), statusLine(look, t)],
  };
  return card(content, t);
}

/** "🟢 live · checked: drivers 4 seconds ago, slots 1 minute ago, members 2 minutes ago · updates every 50 s". */
function statusLine({ mode, checked, round }: BoardLook, t: Translator): Section {
  const times = checkedParts(checked, t);
  const line = joined(
    t(`board.mode.${mode}`),
    times.length === 0 ? null : t('board.checked', { parts: times.join(', ') }),
    round === null || mode === 'paused' ? null : everySoOften(round, t),
  );
  // A field, because Discord shows no timestamps in a footer. Its name is a zero-width space, so that it takes one
  // line.
  return { name: '\u200b', lines: [line] };
}

function checkedParts(checked: BoardLook['checked'], t: Translator): readonly string[] {
  const ago = (moment: number | null): string | null => timestamp(moment, 'relative');
  const said =
    checked === null || typeof checked === 'number'
      ? [ago(checked)]
      : (['drivers', 'slots', 'members'] as const).map((part) => {
          const when = ago(checked[part]);
          return when === null ? null : t(`board.checkedPart.${part}`, { ago: when });
        });
  return said.filter((text) => text !== null);
}

/** In steps of five seconds, from two minutes on in whole minutes; rather too long than too short. */
function everySoOften(ms: number, t: Translator): string {
  const seconds = Math.ceil(ms / 5000) * 5;
  if (seconds <= 120) return t('board.everySeconds', { seconds });
  return t('board.everyMinutes', { minutes: Math.ceil(ms / MINUTE) });
}
