/** The boards as kept messages, each with its channel as its key. */
import type { Clock } from '../../base/clock.ts';
import type { BoardSettings, Paused } from '../../cards/board/board.ts';
import { rightNames } from '../../cards/board/right-name.ts';
import type { Preferences, Translator } from '../../i18n/translator.ts';
import type { Poll } from '../../service/poll/poll.ts';
import type { KeptMessages } from './kept-messages.ts';
import { createRenderer, markerOf } from './render.ts';

export function createBoardMessages(parts: {
  readonly records: KeptMessages['records'];
  readonly poll: Pick<Poll, 'facts' | 'isReady'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
}): KeptMessages {
  const { records, poll, clock, translatorFor } = parts;
  const render = createRenderer();
  return {
    records,
    marker: markerOf,
    frame(channelId, { options, locale, colours }, { isLast, round }) {
      if (!poll.isReady()) return null;
      const t = translatorFor(options.language ?? locale, { unit: 'kilometre', colours });
      const boardLook = { facts: poll.facts, view: options, now: clock.now(), paused: isLast, round };
      return render(channelId, boardLook, t);
    },
    // The members cost budget, and not every board shows them.
    lastSource: ({ options }) => (options.members === 'off' ? 'overview' : 'members'),
    pauseText: (settings, paused) =>
      pauseMessage(settings, paused, translatorFor(settings.options.language ?? settings.locale)),
    marksStop: true,
    describeLoss: (count) => `the store has lost ${count} boards: /board list finds their messages again`,
  };
}

/** The message to a board's maker when the board cannot continue. */
export function pauseMessage(
  { channelId }: Pick<BoardSettings, 'channelId'>,
  { why, missing }: Pick<Paused, 'why' | 'missing'>,
  t: Translator,
): string {
  const channel = `<#${channelId}>`;
  if (why !== 'rights')
    return t(why === 'channel' ? 'board.notified.channel' : 'board.notified.unwanted', { channel });
  // Discord refuses although the rights look right.
  if (missing.length === 0) return t('board.notified.refused', { channel });
  return t('board.notified.rights', { channel, rights: rightNames(missing, t) });
}
