import type { Translator } from '../../i18n/translator.ts';
import { type Answer, orFrozen } from '../../service/models/dated.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { buttons, type Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { joined, said } from '../kit/lines.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../kit/paging.ts';
import { dutyCounts, reportsDuty } from './duty.ts';
import { namesAnybody, numberLines, playerLine, sortedPlayers, unreported } from './live-players.ts';
import { otherLabel } from './other-label.ts';
import { serverName } from './server-lines.ts';

/** Drivers of a page: each takes a line, or two on a phone. */
const PAGE = 20;
const TRACK = 32;

/**
 * Everyone connected to one server, sorted by duty, and what the service does not report about them. A file that stands still
 * is marked as old. `now` in unix milliseconds.
 */
export function liveCard(
  server: LiveServer,
  answer: Answer<LiveStatus>,
  wanted: number,
  now: number,
  t: Translator,
): Card {
  const { players, track } = answer.record;
  const label = otherLabel(server, answer.record);
  const sorted = sortedPlayers(players, t);
  const isNamed = namesAnybody(players);
  // Numbers alone are so short that all fit on one page.
  const page = pageOf(sorted, isNamed ? PAGE : Math.max(1, sorted.length), wanted);
  const list = isNamed ? page.rows.map((player) => playerLine(player, t)) : numberLines(sorted, t);
  const body = {
    title: t('live.title', { server: serverName(server, t) }),
    lead: [
      ...oldData(orFrozen(answer, now), t),
      label === null ? '' : t('live.labelled', { server: serverName(label, t) }),
      joined(t('live.connected', { count: players.length }), pageLabel(page, t)),
      said(track ?? '', TRACK),
      (reportsDuty(players) ? dutyCounts(answer.record, t) : null) ?? '',
      ...unreported(players, t),
    ].filter((line) => line !== ''),
    ...(list.length === 0 ? {} : { list }),
    sections: [asOf(answer, t)],
  };
  return {
    embeds: [embed(body, t)],
    components: [buttons(...turnsAndRefresh(page, { command: 'live', subject: server }, t))],
  };
}
