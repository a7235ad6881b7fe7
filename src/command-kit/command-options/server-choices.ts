import type { HistoryPlace } from '../../cards/history/span.ts';
import { serverNames } from '../../cards/servers/server-lines.ts';
import type { TextKey } from '../../i18n/translator.ts';
import type { LiveServer } from '../../service/models/live-status.ts';
import type { Option } from '../option.ts';

/** The servers with a live file. */
export const liveServerChoices = {
  one: 'server.one',
  two: 'server.two',
  three: 'server.three',
  four: 'server.four',
} as const satisfies Readonly<Record<LiveServer, TextKey>>;

/** Tells whether the service is known to have that server. */
export const isServer = (name: string): name is keyof typeof serverNames => Object.hasOwn(serverNames, name);

/** One of the servers with a live file; without it, all of them together. */
export const whereOption = {
  kind: 'choice',
  description: 'history.options.server',
  required: false,
  choices: {
    all: 'history.everywhere',
    ...liveServerChoices,
  },
} as const satisfies Option & { readonly choices: Readonly<Record<HistoryPlace, string>> };
