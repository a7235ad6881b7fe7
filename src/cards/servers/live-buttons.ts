import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { LiveServer, liveServer } from '../../service/models/live-status.ts';
import type { Button } from '../kit/card.ts';
import { serverLabel } from './server-lines.ts';

/** The commands whose cards lead to the list of one server's drivers, and back from it. */
const From = z.enum(['servers', 'slots', 'duty']);
type From = z.output<typeof From>;

/** A server's list, and the card that it was opened from; null: it was asked for, or stands below a board. */
export interface LiveView {
  readonly server: LiveServer;
  readonly from: From | null;
}

/** Subject of a button's id: `one`, or `one.slots`. */
export const LiveSubject = z
  .string()
  .transform((subject): unknown => subject.split('.'))
  .pipe(z.tuple([LiveServer, From.optional()]))
  .transform(([server, from = null]): LiveView => ({ server, from }));

export function liveSubject({ server, from }: LiveView): string {
  return from === null ? server : `${server}.${from}`;
}

/** A button for each server, which opens its list of drivers. */
export function liveButtons(
  servers: readonly LiveServer[],
  t: Translator,
  from: From | null = null,
): readonly Button[] {
  return servers.map((server) => ({
    command: 'live',
    action: 'page',
    number: 0,
    subject: liveSubject({ server, from }),
    label: serverLabel(server, t),
  }));
}

/** Shows that card again, as it is now. */
export function backFromLive({ from }: LiveView, t: Translator): readonly Button[] {
  return from === null ? [] : [{ command: from, action: 'show', subject: '', label: t('card.back') }];
}

/** The servers whose drivers can be listed: those with a live file that runs. At most four. */
export function openableServers({ overview, live }: JudgedFacts): readonly LiveServer[] {
  const offlineServers = new Set(
    (overview?.record ?? []).flatMap(({ name, online }) => (online === false ? [liveServer(name)] : [])),
  );
  return LiveServer.options.filter((server) => live[server] !== null && !offlineServers.has(server));
}
