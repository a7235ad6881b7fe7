import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { joined } from '../kit/lines.ts';
import { boardContent } from './board-content.ts';
import type { BoardFacts } from './board-facts.ts';

export type { BoardFacts, Known } from './board-facts.ts';

/** How a board stands, and its two times in unix milliseconds; a time that is null is not told. */
export interface BoardLook {
  readonly mode: 'live' | 'stale' | 'no-data' | 'paused';
  /** When what is shown last became different. */
  readonly changed: number | null;
  /** The newest answer's own clock. */
  readonly checked: number | null;
}

/**
 * The live board: the servers and the members, and below them one line on how far they can be trusted. Without the
 * two times it is the same card for the same facts, whenever it is drawn.
 */
export function boardCard(facts: BoardFacts, look: BoardLook, t: Translator): Card {
  const { mode } = look;
  const body = {
    title: t('board.title'),
    // Told in words above the figures, so that nobody reads old ones as new.
    lead: mode === 'live' ? [] : [t(`board.lead.${mode}`)],
    // After so long a time a number would only mislead.
    sections: [...(mode === 'no-data' ? [] : boardContent(facts, t)), standing(look, t)],
  };
  return { embeds: [embed(body, t)], components: [] };
}

/** "🟢 live · changed 2 minutes ago · checked 10 seconds ago". */
function standing({ mode, changed, checked }: BoardLook, t: Translator): Section {
  const ago = (moment: number | null): string | null =>
    moment === null ? null : timestamp(moment, 'relative');
  const [changedAt, checkedAt] = [ago(changed), ago(checked)];
  const line = joined(
    t(`board.mode.${mode}`),
    changedAt === null ? null : t('board.changed', { when: changedAt }),
    checkedAt === null ? null : t('board.checked', { when: checkedAt }),
  );
  // A field, because chat draws no moments in a footer; its name is a character that nobody sees, for one line.
  return { name: '\u200b', lines: [line] };
}
