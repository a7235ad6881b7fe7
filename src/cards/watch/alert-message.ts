import type { Translator } from '../../i18n/translator.ts';
import { type ActionRow, buttons } from '../kit/card.ts';
import { fitLines } from '../kit/fit-lines.ts';
import { type News, newsLine } from './alert-text.ts';

/** Lines of one message: together under Discord's 2000 characters, whatever the names in them. */
const LINES = 12;

export function alertMessage(
  alert: {
    /** The ids of the watches, for the buttons; at most ten. */
    readonly watches: readonly string[];
    readonly lines: readonly { readonly news: News /** Unix milliseconds. */; readonly at: number }[];
    /** Roles to ping. */
    readonly roles: readonly string[];
  },
  t: Translator,
): {
  readonly content: string;
  readonly components: readonly ActionRow[];
} {
  const { watches, lines, roles } = alert;
  const texts = [...new Set(lines.map(({ news, at }) => newsLine(news, at, t)))];
  const pings = roles.map((role) => `<@&${role}>`).join(' ');
  const subject = watches.join('.');
  const stop = watches.length === 1 ? t('watch.stop') : t('watch.stopAll', { n: watches.length });
  return {
    content: (pings === '' ? '' : `${pings}\n`) + fitLines(texts, { entries: LINES }, t),
    components: [
      buttons(
        { command: 'watch', action: 'stop', subject, label: stop, emoji: '🔕' },
        { command: 'watch', action: 'snooze', subject, label: t('watch.snooze'), emoji: '💤' },
      ),
    ],
  };
}
