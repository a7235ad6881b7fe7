import { DAY, HOUR } from '../../../src/base/duration.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { knownUntil, MIN_TOLD_HOLE_MS } from '../../../src/cards/history/coverage-lines.ts';
import type { ReaderZone } from '../../../src/cards/history/reader-zone.ts';
import { divideStretch } from '../../../src/cards/history/span.ts';
import { buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import { DATA_SERVICE, tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import { serverLabel } from '../../../src/cards/servers/server-lines.ts';
import {
  type Outage,
  overlapOf,
  type Run,
  type Stretch,
  type Uptime,
} from '../../../src/community/history/history.ts';
import type { DurationBound } from '../../../src/i18n/formats.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { BarChart, Tick } from '../../../src/pictures/chart.ts';

const days = { week: 7, month: 30, year: 365 } as const;
export type UptimeSpan = keyof typeof days;

interface UptimeView {
  /** The service's name of the server; null: the data service. */
  readonly server: string | null;
  readonly span: UptimeSpan;
  readonly zone: ReaderZone;
  /** When it was asked for, in unix milliseconds. */
  readonly now: number;
}

/** A server that was up for less of the time is no green one. */
const MIN_GREEN_SHARE = 0.5;
/** Known share of the time below which the sign is unknown. */
const MIN_KNOWN_SHARE = 0.05;

const MAX_OUTAGES = 10;
/** Labels below the bars. */
const MAX_LABELS = 6;

export function uptimeStretch(span: UptimeSpan, now: number): Stretch {
  return { from: now - days[span] * DAY, to: now };
}

/** The share of the known time, a bar for each day, and the last outages. */
export function uptimeCard(uptime: Uptime, view: UptimeView, t: Translator): Card {
  const { server, span, now } = view;
  const stretch = uptimeStretch(span, now);
  const where = server === null ? t('uptime.dataService') : serverLabel(server, t);
  const title = t('uptime.title', { where, span: spanName(span, t) });
  const subject = server ?? DATA_SERVICE;
  const spans = (Object.keys(days) as UptimeSpan[]).map((each) => ({
    command: 'uptime',
    action: each,
    subject,
    label: spanName(each, t),
    here: each === span,
  }));
  const refresh = refreshButton({ command: 'uptime', action: span, subject }, t);
  const components = [buttonRow(...spans, refresh, ...tellButtons('outage', subject, t))];
  const { up, down: downShare } = sharesOf(uptime.runs, stretch);
  const knownShare = up + downShare;
  if (knownShare === 0) return createCard({ title, lead: [t('history.none')], components }, t);
  const share = t.percent(up / knownShare, 1);
  const sign = knownShare < MIN_KNOWN_SHARE ? '❔' : up / knownShare < MIN_GREEN_SHARE ? '🔴' : '🟢';
  const length = stretch.to - stretch.from;
  const missingMs = (1 - knownShare) * length;
  const last = uptime.outages.filter(({ to }) => to === null || to > stretch.from).slice(-MAX_OUTAGES);
  const lines = last.toReversed().map((outage) => outageLine(outage, t));
  const content = {
    title,
    lead: [
      `${sign} ${t('uptime.share', { share, duration: t.duration((knownShare * length) / 1000) })}`,
      missingMs < MIN_TOLD_HOLE_MS ? null : t('uptime.unknown', { duration: t.duration(missingMs / 1000) }),
    ],
    sections: [{ name: t('uptime.outages'), lines: lines.length === 0 ? [t('uptime.none')] : lines }],
    tail: knownUntil(uptime.runs.at(-1)?.to, now, t),
    components,
    picture: {
      name: 'uptime',
      chart: barsOf(uptime.runs, view, t),
      alt: t('uptime.alt', { title, share }),
    },
  };
  return createCard(content, t);
}

function spanName(span: UptimeSpan, t: Translator): string {
  return span === 'year' ? t('uptime.year') : t(`history.span.${span}`);
}

/** Returns the shares of the stretch that are up and down; the rest is not known. */
function sharesOf(runs: readonly Run[], stretch: Stretch): Record<'up' | 'down', number> {
  const share = (isUp: boolean): number =>
    sumBy(runs, (run) => (run.isUp === isUp ? overlapOf(run, stretch) : 0)) / (stretch.to - stretch.from);
  return { up: share(true), down: share(false) };
}

function outageLine({ from, until, to }: Outage, t: Translator): string {
  const date = formatMoment(from, 'time', t);
  const lasted = (end: number, bound?: DurationBound): string => t.duration((end - from) / 1000, bound);
  if (to === null) return `${date} · ${t('uptime.still', { duration: lasted(until, 'least') })}`;
  return `${date} · ${to > until ? t('uptime.atMost', { duration: lasted(to, 'most') }) : lasted(to)}`;
}

function barsOf(runs: readonly Run[], { span, zone, now }: UptimeView, t: Translator): BarChart {
  const stretch = uptimeStretch(span, now);
  const parts = divideStretch(stretch, zone.name, 24);
  return {
    kind: 'bars',
    bars: parts.map((part) => sharesOf(runs, part)),
    across: labelsOf(parts, zone, t),
    labels: { up: t('uptime.up'), down: t('uptime.down'), gap: t('history.gap') },
  };
}

/** Below the middle of a bar each, evenly apart, and none below a first or last day that has hardly begun. */
function labelsOf(parts: readonly Stretch[], zone: ReaderZone, t: Translator): readonly Tick[] {
  const { day } = zonedFormats(t.locale, zone.name);
  const apart = Math.ceil(parts.length / MAX_LABELS);
  return parts.flatMap(({ from, to }, index) =>
    index % apart === Math.floor(apart / 2) && to - from > 6 * HOUR
      ? [{ at: (index + 0.5) / parts.length, label: day(from) }]
      : [],
  );
}
