import { MINUTE } from '../../base/duration.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { type Content, card } from '../kit/card.ts';
import { oldSince, partial, reasons } from '../kit/freshness.ts';
import { joined, present } from '../kit/lines.ts';
import { drivingSigns } from '../servers/driving.ts';
import { headline } from '../servers/headline.ts';
import { boardContent } from './board-content.ts';
import type { BoardLook } from './board-look.ts';
import type { BoardView } from './board-view.ts';

interface More extends Pick<Content, 'components'> {
  /** How long it takes until the board is updated again in ms, where that is slower than usual. */
  readonly round?: number | null;
}

/**
 * Servers, members and drivers, and below them a status line: a live board, or `/servers`. Apart from its times, the same
 * facts always give the same card.
 */
export function boardCard(
  look: BoardLook,
  view: BoardView,
  t: Translator,
  { round, components = [] }: More = {},
) {
  const { mode, shown } = look;
  // After so long, a number would mislead.
  const sections = mode === 'no-data' ? [] : boardContent(shown, view, { marked: mode !== 'stale' }, t);
  const name = t(`board.mode.${mode}`);
  const [legend, foot] = [drivingSigns(shown, t), footOf(look, round ?? null, t)];
  // Below two columns it needs a field of its own, which must have a name.
  const end =
    sections.at(-1)?.inline === true
      ? { sections: [...sections, { name, lines: [present(legend, `-# ${foot}`).join('\n')] }] }
      : { sections, tail: present(legend, `-# ${joined(name, foot)}`).join('\n') };
  return card({ title: t('board.title'), lead: leadOf(look, t), components, ...end }, t);
}

/** Above the figures, so that old ones are not taken for new; old parts among new ones have their own mark. */
function leadOf({ mode, whys, checked, shown }: BoardLook, t: Translator): readonly (string | null)[] {
  if (mode === 'paused') return [t('board.lead.paused')];
  if (mode === 'no-data') return [t('board.lead.no-data', { why: reasons(whys, t) }).trim()];
  if (mode === 'stale') return [oldSince(checked, whys, t)];
  return [partial(whys, t), headline(shown, t)];
}

/** "drivers 4 seconds ago, slots 1 minute ago, members 2 minutes ago · updates every 50 s". */
function footOf({ mode, times, checked }: BoardLook, round: number | null, t: Translator): string {
  const ago = (moment: number | null): string | null => timestamp(moment, 'relative');
  const parts =
    times === null
      ? [ago(checked)]
      : (['drivers', 'slots', 'members'] as const).map((part) => {
          const when = ago(times[part]);
          return when && t(`board.checkedPart.${part}`, { ago: when });
        });
  const pace = round === null || mode === 'paused' ? null : everySoOften(round, t);
  return joined(present(...parts).join(', '), pace);
}

/** In steps of five seconds, from two minutes on in whole minutes; rather too long than too short. */
function everySoOften(ms: number, t: Translator): string {
  const seconds = Math.ceil(ms / 5000) * 5;
  if (seconds <= 120) return t('board.everySeconds', { seconds });
  return t('board.everyMinutes', { minutes: Math.ceil(ms / MINUTE) });
}
