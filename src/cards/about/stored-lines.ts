import type { Stored } from '../../store/personal-data.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import { named } from '../kit/lines.ts';

/** More lines than these are only in the file: chat takes 2000 characters. */
const MOST = 10;

/** What is stored under somebody's account, a line each. */
export function storedLines({ link, subscriptions, boards }: Stored, words: Words): readonly string[] {
  const moment = (at: number): string => timestamp(at, 'relative') ?? words.text('card.momentUnknown');
  const lines = [
    ...(link === null
      ? []
      : [words.text(`privacy.link.${link.by}`, { player: named(link.username), when: moment(link.since) })]),
    ...subscriptions.map(({ server, expires }) =>
      words.text('privacy.subscription', { server: named(server), when: moment(expires) }),
    ),
    ...boards.map(({ channel, since }) =>
      words.text('privacy.board', { channel: `<#${channel}>`, when: moment(since) }),
    ),
  ];
  if (lines.length === 0) return [words.text('privacy.nothing')];
  const left = lines.length - MOST;
  return [
    words.text('privacy.heading'),
    ...lines.slice(0, MOST).map((line) => `- ${line}`),
    ...(left > 0 ? [words.text('card.more', { n: left })] : []),
  ];
}
