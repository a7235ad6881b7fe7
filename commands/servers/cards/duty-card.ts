import { type Column, listBlock } from '../../../src/cards/kit/block.ts';
import { buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import { driverMenu, nameCell } from '../../../src/cards/kit/driver.ts';
import { fitLines } from '../../../src/cards/kit/fit-lines.ts';
import { asOf, partialNotice } from '../../../src/cards/kit/freshness.ts';
import { joinParts } from '../../../src/cards/kit/lines.ts';
import { dutyRows } from '../../../src/cards/kit/tell-buttons.ts';
import {
  coverageGap,
  dutyCounts,
  dutyCoverage,
  dutyGap,
  isNamed,
  onDuty,
  signsOf,
  sortedPlayers,
} from '../../../src/cards/servers/duty.ts';
import { liveButtons } from '../../../src/cards/servers/live-buttons.ts';
import { serverLabel, serverName } from '../../../src/cards/servers/server-lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import {
  type Answer,
  judgeFreshness,
  orFrozen,
  type Stale,
  whyOld,
} from '../../../src/service/models/dated.ts';
import { type Judged, withoutAnswer } from '../../../src/service/models/facts.ts';
import { LiveServer, type LiveStatus, type Player } from '../../../src/service/models/live-status.ts';

/** Why a file could not be read. `isMissing`: the data service works, and has no such file. */
type FileFault = Parameters<typeof whyOld>[0] & { readonly isMissing?: boolean };
/** Each live file, or why it could not be read. */
type LiveFiles = Readonly<Record<LiveServer, Answer<LiveStatus> | FileFault>>;

/**
 * Duty on all servers together, and on each. A missing or frozen file is reported as such and never counts as
 * nobody. `now` in unix milliseconds.
 */
export function dutyCard(files: LiveFiles, now: number, t: Translator): Card {
  const missingServers = withoutAnswer(files);
  const servers = LiveServer.options.map((server) => ({
    server,
    live: judged(files[server], now),
    hasFile: !missingServers.includes(server),
  }));
  const reported = servers.flatMap(({ live }) =>
    live !== null && !live.isStale && dutyCoverage(live.record, onDuty) !== 'none' ? [live.record] : [],
  );
  const newest = Math.max(...servers.map(({ live }) => live?.asOf ?? Number.NEGATIVE_INFINITY));
  const open = liveButtons(
    servers.filter((one) => one.hasFile).map(({ server }) => server),
    t,
    'duty',
  );
  const refresh = refreshButton({ command: 'duty', action: '', subject: '' }, t);
  const isNobody = reported.length > 0 && dutyCounts(reported, t, onDuty) === null;
  const onEach = servers.map((one) => ({ ...one, named: namedOnDuty(one.live, t) }));
  const content = {
    title: t('duty.title'),
    lead: [
      ...lead({ reported, withoutFile: missingServers.length, whys: whysOf(files, missingServers, now) }, t),
      nameBlock(onEach, t),
      ...otherLines(onEach, now, t),
    ],
    tail: asOf({ asOf: newest }, t),
    components: [
      buttonRow(...open, refresh),
      ...(isNobody ? dutyRows(t) : []),
      ...driverMenu(
        onEach.flatMap(({ named }) => named),
        t,
      ),
    ],
  };
  return createCard(content, t);
}

/** Returns the live file even if it is older than a board would show: its time says since when nothing is known. */
function judged(file: LiveFiles[LiveServer], now: number): Judged<LiveStatus> | null {
  return 'fault' in file ? null : { ...file, isStale: judgeFreshness(file, 'live', now) !== 'live' };
}

/** The reasons why files are not current. `missing`: servers without a file. */
function whysOf(files: LiveFiles, missing: readonly LiveServer[], now: number): readonly Stale[] {
  return LiveServer.options.flatMap((server) => {
    const file = files[server];
    if (missing.includes(server)) return [];
    if ('fault' in file) return whyOld(file);
    return judgeFreshness(file, 'live', now) === 'live' ? [] : (orFrozen(file, now).stale ?? []);
  });
}

/**
 * The sum over the servers that report duty, and how many do not: what the data service keeps from us is not their
 * silence. "Nobody" needs all of them.
 */
function lead(
  {
    reported,
    withoutFile,
    whys,
  }: {
    /** The current files that report duty, also in part. */
    readonly reported: readonly LiveStatus[];
    /** Servers that have no live file. */
    readonly withoutFile: number;
    readonly whys: readonly Stale[];
  },
  t: Translator,
) {
  const missingCount = LiveServer.options.length - reported.length;
  // A server without a file says so in its own line.
  const silent = missingCount - whys.length - withoutFile;
  const warning = [partialNotice(whys, t), silent === 0 ? null : t('duty.serversMissing', { count: silent })];
  if (reported.length === 0) return warning;
  const wholeCount = reported.filter((file) => dutyCoverage(file, onDuty) === 'all').length;
  const isWhole = wholeCount === LiveServer.options.length;
  const nobody = wholeCount === 0 ? null : t(isWhole ? 'duty.nobody' : 'duty.nobodyThere');
  const sum = dutyCounts(reported, t, onDuty) ?? nobody;
  return [sum === null ? null : `**${sum}**`, ...warning];
}

interface OnServer {
  readonly server: LiveServer;
  readonly live: Judged<LiveStatus> | null;
  readonly hasFile: boolean;
  readonly named: readonly Player[];
}

/** Names need a file that tells them, which only the later generation of the service sends. */
function namedOnDuty(live: Judged<LiveStatus> | null, t: Translator): readonly Player[] {
  const players = live === null || live.isStale ? [] : live.record.players;
  return sortedPlayers(
    players.filter((player) => isNamed(player) && dutiesOf(player).length > 0),
    t,
  );
}

function dutiesOf(player: Player) {
  return onDuty.flatMap(([, flag]) => (player[flag] === true ? [flag] : []));
}

/** Columns of a name, rows of the block, and its characters. */
const MAX_NAME_WIDTH = 26;
const BLOCK_LIMITS = { entries: 18, characters: 1800 };

/** Names the drivers on duty by server; null if no name is known. */
function nameBlock(servers: readonly OnServer[], t: Translator): string | null {
  const rows = servers.flatMap(({ server, live, named }) => {
    if (named.length === 0) return [];
    const unnamedCount =
      (live?.record.players.filter((player) => dutiesOf(player).length > 0).length ?? 0) - named.length;
    const heading = joinParts(
      serverLabel(server, t),
      unnamedCount === 0 ? null : `+${t.number(unnamedCount)}`,
    );
    return [heading, ...named];
  });
  const columns: readonly Column<Player>[] = [
    { cell: (player) => nameCell(player, MAX_NAME_WIDTH) },
    { before: ' ', cell: (player) => signsOf(dutiesOf(player)) },
  ];
  return fitLines(listBlock(columns, rows, t), BLOCK_LIMITS, t) || null;
}

/** The servers without names, by what is known of them; and those with names of which something is not known. */
function otherLines(servers: readonly OnServer[], now: number, t: Translator): readonly string[] {
  const otherServers = servers.filter(
    ({ live, named }) => named.length === 0 || (live && coverageGap(live.record, t, onDuty) !== null),
  );
  const byState = Map.groupBy(otherServers, (server) => stateOf(server, now, t));
  return [...byState].flatMap(([state, all]) => {
    const names = all.map(({ server }) => `**${serverName(server, t)}**`).join(' · ');
    if (state !== null) return `${names} ${state}`;
    // If nobody is on duty anywhere, the lead says so.
    return all.length === servers.length ? [] : t('duty.nobodyHere', { servers: names });
  });
}

function stateOf({ live, hasFile: isThere, named }: OnServer, now: number, t: Translator): string | null {
  if (!isThere) return t('duty.noFile');
  const gap = dutyGap(live, t, { now, counted: onDuty });
  if (live === null || live.isStale || dutyCoverage(live.record, onDuty) === 'none') return gap;
  return joinParts(named.length > 0 ? null : dutyCounts([live.record], t, onDuty), gap) || null;
}
