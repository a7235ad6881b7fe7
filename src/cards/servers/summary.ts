import type { Translator } from '../../i18n/translator.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { drivingPlayers, LiveServer, liveServer } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { joinParts } from '../kit/lines.ts';
import { dutyCounts, dutyCoverage, summaryDuties } from './duty.ts';
import { jobCount } from './jobs.ts';
import { driversOf, freeSlots, rowsOf } from './server-lines.ts';

/**
 * "**21 driving** · 47 free · 🚓 3 police · 🏃 1 chase · 💼 4 on a job": all servers together. Only from data that is not old, and
 * never more than that data says: what is missing makes it "at least", or is told. Null where nothing is known.
 */
export function summaryText(facts: JudgedFacts, t: Translator): string | null {
  const first = driving(facts, t);
  const running = runningFiles(facts);
  return joinParts(first && `**${first}**`, free(facts, t), onDuty(running, t), onJobs(running, t)) || null;
}

function driving({ overview, live }: JudgedFacts, t: Translator): string | null {
  const known = overview === null || overview.isStale ? null : overview.record;
  const open = (known ?? []).filter(({ online }) => online !== false);
  const elsewhere = known === null ? LiveServer.options : leftOut(known);
  const running = elsewhere.flatMap((name) => live[name] ?? []);
  const files = running.flatMap(({ isStale, record }) =>
    isStale ? [] : [drivingPlayers(record.players).length],
  );
  const listed = open.flatMap((server) => {
    const name = liveServer(server.name);
    return driversOf({ server, live: name === null ? null : live[name] }) ?? [];
  });
  const counts = [...listed, ...files];
  if (counts.length === 0)
    return known !== null && known.length > 0 && open.length === 0 ? t('statusLine.closed') : null;
  const n = counts.reduce((sum, count) => sum + count, 0);
  const isWhole = known !== null && counts.length === open.length + running.length;
  if (!isWhole && n === 0) return null;
  return t(isWhole ? 'statusLine.driving' : 'statusLine.atLeast', { n });
}

/** "37+ free" where a server that runs does not say how many slots it has. */
function free({ overview, live }: JudgedFacts, t: Translator): string | null {
  if (overview === null || overview.isStale) return null;
  const slots = overview.record.filter(({ online }) => online !== false).map(freeSlots);
  const known = slots.filter((count) => count !== null);
  if (known.length === 0) return null;
  const n = known.reduce((sum, count) => sum + count, 0);
  if (known.length === slots.length && leftOut(overview.record).every((name) => live[name] === null))
    return t('server.free', { count: n });
  return n === 0 ? null : t('server.freeAtLeast', { count: n });
}

/**
 * Nothing where nobody is on duty, or nothing is known of it: each server's own lines say which. The file of a server that
 * is offline is from before.
 */
function onDuty({ running, files }: RunningFiles, t: Translator): string | null {
  const reporting = files.filter((file) => dutyCoverage(file, summaryDuties) !== 'none');
  const counts = dutyCounts(reporting, t, summaryDuties);
  if (reporting.length === 0 || counts === null) return null;
  const whole = reporting.filter((file) => dutyCoverage(file, summaryDuties) === 'all');
  return joinParts(counts, whole.length < running.length ? t('board.dutyPartly') : null);
}

/** Null where no file names a job: most name none. */
function onJobs({ files }: RunningFiles, t: Translator): string | null {
  const count = jobCount(files, t);
  return count === null ? null : t('board.jobs', { n: count });
}

type RunningFiles = ReturnType<typeof runningFiles>;

/** The running servers that have a live file, and of these files the current ones. */
function runningFiles(facts: JudgedFacts) {
  const running = rowsOf(facts).filter(({ server, live }) => server?.online !== false && live !== undefined);
  return { running, files: running.flatMap(({ live }) => (!live || live.isStale ? [] : live.record)) };
}

/** Servers with a live file that the overview omits; none if it is a single unnamed server. */
export function leftOut(overview: Overview): readonly LiveServer[] {
  const listed = new Set(overview.map(({ name }) => liveServer(name)));
  return overview.length === 1 && overview[0]?.name === null
    ? []
    : LiveServer.options.filter((name) => !listed.has(name));
}
