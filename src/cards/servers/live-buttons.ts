import type { Translator } from '../../i18n/translator.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { LiveServer, liveServer } from '../../service/models/live-status.ts';
import type { Button } from '../kit/card.ts';
import { serverLabel } from './server-lines.ts';

/** A button for each server, which opens its list of drivers. */
export function liveButtons(servers: readonly LiveServer[], t: Translator): readonly Button[] {
  return servers.map((server) => ({
    command: 'live',
    action: 'page',
    number: 0,
    subject: server,
    label: serverLabel(server, t),
  }));
}

/** The servers whose drivers can be listed: those with a live file that runs. At most four. */
export function openable({ overview, live }: JudgedFacts): readonly LiveServer[] {
  const down = new Set(
    (overview?.record ?? []).flatMap(({ name, online }) => (online === false ? [liveServer(name)] : [])),
  );
  return LiveServer.options.filter((server) => live[server] !== null && !down.has(server));
}
