import type { Translator } from '../../i18n/translator.ts';
import { type Answer, judge, orFrozen, type Stale, whyOld } from '../../service/models/dated.ts';
import type { Judged } from '../../service/models/facts.ts';
import { LiveServer, type LiveStatus } from '../../service/models/live-status.ts';
import { buttons, type Card, card, refreshButton, type Section } from '../kit/card.ts';
import { driverInLine, driverMenu } from '../kit/driver.ts';
import { asOf, partial } from '../kit/freshness.ts';
import { joined } from '../kit/lines.ts';
import { dutyCounts, dutyGap, onDuty, playerDuty, reportsDuty } from './duty.ts';
import { liveButtons } from './live-buttons.ts';
import { serverName } from './server-lines.ts';

type Player = LiveStatus['players'][number];

/** A server's live file, or why it could not be read; null: nobody knows. */
type LiveFile = Answer<LiveStatus> | Parameters<typeof whyOld>[0] | null;
type LiveFiles = Readonly<Record<LiveServer, LiveFile>>;

/**
 * Who is on duty on all servers together, and on each. A missing or frozen file is reported as such and never
 * counts as nobody. `now` in unix milliseconds.
 */
export function dutyCard(files: LiveFiles, now: number, t: Translator): Card {
  const servers = LiveServer.options.map((server) => ({ server, live: judged(files[server], now) }));
  const reported = servers.flatMap(({ live }) =>
    live !== null && !live.isStale && reportsDuty(live.record.players) ? [live.record.players] : [],
  );
  const newest = Math.max(...servers.map(({ live }) => live?.asOf ?? Number.NEGATIVE_INFINITY));
  const open = liveButtons(LiveServer.options, t, 'duty');
  const refresh = refreshButton({ command: 'duty', action: '', subject: '' }, t);
  const shown = servers.flatMap(({ live }) =>
    live === null || live.isStale ? [] : namedOnDuty(live.record),
  );
  const content = {
    title: t('duty.title'),
    lead: lead(reported, whysOf(files, now), t),
    sections: servers.map(({ server, live }) => section(server, live, t)),
    tail: asOf({ asOf: newest }, t),
    components: [buttons(...open, refresh), ...driverMenu(shown, t)],
  };
  return card(content, t);
}

/** Also one that is older than the board would show: its time says since when nothing is known. */
function judged(file: LiveFile, now: number): Judged<LiveStatus> | null {
  return file === null || 'fault' in file ? null : { ...file, isStale: judge(file, 'live', now) !== 'live' };
}

/** Why files are not of now. */
function whysOf(files: LiveFiles, now: number): readonly Stale[] {
  return Object.values(files).flatMap((file) => {
    if (file === null) return [];
    if ('fault' in file) return whyOld(file);
    return judge(file, 'live', now) === 'live' ? [] : (orFrozen(file, now).stale ?? []);
  });
}

/**
 * The sum over the servers that report duty, and how many do not: what the data service keeps from us is not their
 * silence. "Nobody" needs all of them.
 */
function lead(reported: readonly (readonly Player[])[], whys: readonly Stale[], t: Translator) {
  const missing = LiveServer.options.length - reported.length;
  const silent = missing - whys.length;
  const warning = [partial(whys, t), silent === 0 ? null : t('duty.serversMissing', { count: silent })];
  if (reported.length === 0) return warning;
  const sum = dutyCounts(reported, t, onDuty);
  const nobody = t(missing === 0 ? 'duty.nobody' : 'duty.nobodyThere');
  return [`**${sum ?? nobody}**`, ...warning];
}

function section(server: LiveServer, live: Judged<LiveStatus> | null, t: Translator): Section {
  const name = serverName(server, t);
  if (live === null || live.isStale) return { name, lines: [dutyGap(live, 'time', t) ?? t('duty.unknown')] };
  const names = namedOnDuty(live.record).map((player) => nameLine(player, t));
  const counts = dutyCounts([live.record.players], t, onDuty) ?? t('duty.nobodyHere');
  return { name, lines: [counts, ...names] };
}

function namedOnDuty({ players }: LiveStatus): readonly Player[] {
  return players.filter((player) => {
    const isNamed = player.username !== null || player.nickname !== null;
    return isNamed && onDuty.some(([, flag]) => player[flag] === true);
  });
}

/** Needs names, which only the later generation of the service sends. */
function nameLine(player: Player, t: Translator): string {
  return joined(driverInLine(player), playerDuty(player, t));
}
