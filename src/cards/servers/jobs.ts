import { sumBy } from '../../base/sum-by.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { LiveStatus, Player } from '../../service/models/live-status.ts';
import { escapeGameText } from '../../text/names.ts';
import type { Section } from '../kit/card.ts';
import { linePerRow } from '../kit/fit-lines.ts';
import { joinParts } from '../kit/lines.ts';

type JobFile = Pick<LiveStatus, 'players' | 'hasUnreadableJobs'>;

/** "4" drivers on a job, or "4+" where a file has jobs that are unreadable; null where the files name none. */
export function jobCount(files: readonly JobFile[], t: Translator): string | null {
  const count = sumBy(files, ({ players }) => players.filter(({ job }) => job !== null).length);
  if (count === 0) return null;
  const n = t.number(count);
  return files.some((file) => file.hasUnreadableJobs) ? t('members.atLeast', { n }) : n;
}

/** Each job with its drivers, in their order; none where the file names no job. */
export function jobSections(
  file: JobFile,
  players: readonly Player[],
  nameOf: (player: Player) => string,
  t: Translator,
): readonly Section[] {
  const count = jobCount([file], t);
  if (count === null) return [];
  const drivers = Map.groupBy(players, ({ job }) => job);
  const jobs = [...drivers].flatMap(([job, group]) => (job === null ? [] : [{ job, group }]));
  const lines = linePerRow(jobs, ({ job, group }) =>
    t('card.labelled', { label: escapeGameText(job) || '❔', value: group.map(nameOf).join(', ') }),
  );
  return [{ name: joinParts(t('live.jobs'), count), lines }];
}
