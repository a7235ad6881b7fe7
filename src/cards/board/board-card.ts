import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';
import { joined } from '../kit/lines.ts';
import { boardContent } from './board-content.ts';
import type { JudgedFacts } from './board-facts.ts';

/** How a board stands, and its two times in unix milliseconds; a time that is null is left out. */
export interface BoardLook {
  /** `partly-stale`: some of it is old and marked as such. */
  readonly mode: 'live' | 'partly-stale' | 'stale' | 'no-data' | 'paused';
  /** When what is shown last became different. */
  readonly changed: number | null;
  /** The own clock of the oldest part that is shown. */
  readonly checked: number | null;
}

/**
 * The live board: the servers and the members, and below them one line on how far they can be trusted. Without the
 * two times it is the same card for the same facts, whenever it is drawn.
 */
export function boardCard(facts: JudgedFacts, look: BoardLook, t: Translator): Card {
  const { mode } = look;
  const body = {
    title: t('board.title'),
    // In words above the figures, so that nobody reads old ones as new; old parts among new ones are marked themselves.
    lead: mode === 'live' || mode === 'partly-stale' ? [] : [t(`board.lead.${mode}`)],
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
  // A field, because Discord draws no moments in a footer; its name is a character that nobody sees, for one line.
  return { name: '\u200b', lines: [line] };
}
