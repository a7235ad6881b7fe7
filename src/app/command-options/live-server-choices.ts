import type { TextKey } from '../../i18n/translator.ts';
import type { LiveServer } from '../../service/models/live-status.ts';

/** The servers with a live file. */
export const liveServerChoices = {
  one: 'server.one',
  two: 'server.two',
  three: 'server.three',
  four: 'server.four',
} as const satisfies Readonly<Record<LiveServer, TextKey>>;
