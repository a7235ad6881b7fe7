import type { APIActionRowComponent, APIComponentInMessageActionRow } from 'discord-api-types/v10';
import type { Translator } from '../../i18n/translator.ts';
import { buttons } from '../kit/card.ts';
import { type News, newsLine } from './alert-text.ts';

/** What one message says. */
interface Alert {
  /** The ids of the watches, for the buttons; at most ten. */
  readonly watches: readonly string[];
  readonly lines: readonly { readonly news: News /** Unix milliseconds. */; readonly at: number }[];
  /** Roles to ping. */
  readonly roles: readonly string[];
}

export interface AlertMessage {
  readonly content: string;
  readonly components: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
}

/** Lines of one message: together under Discord's 2000 characters, whatever the names in them. */
const LINES = 12;

export function alertMessage({ watches, lines, roles }: Alert, t: Translator): AlertMessage {
  const texts = [...new Set(lines.map(({ news, at }) => newsLine(news, at, t)))];
  const left = texts.length - LINES;
  const pings = roles.map((role) => `<@&${role}>`).join(' ');
  const subject = watches.join('.');
  const stop = watches.length === 1 ? t('watch.stop') : t('watch.stopAll', { n: watches.length });
  return {
    content: [
      ...(pings === '' ? [] : [pings]),
      ...texts.slice(0, LINES),
      ...(left > 0 ? [t('card.more', { n: left })] : []),
    ].join('\n'),
    components: [
      buttons(
        { command: 'watch', action: 'stop', subject, label: stop, emoji: '🔕' },
        { command: 'watch', action: 'snooze', subject, label: t('watch.snooze'), emoji: '💤' },
      ),
    ],
  };
}
