import type { Translator } from '../../i18n/translator.ts';
import { type Answer, orFrozen } from '../../service/models/dated.ts';
import type { LiveStatus } from '../../service/models/live-status.ts';
import type { Overview } from '../../service/models/overview.ts';
import { buttons, type Card, card } from '../kit/card.ts';
import { driverMenu } from '../kit/driver.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { joined, said } from '../kit/lines.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../kit/paging.ts';
import { dutyCounts, reportsDuty } from './duty.ts';
import { backFromLive, type LiveView, liveSubject } from './live-buttons.ts';
import { namesAnybody, numberLines, playerLine, sortedPlayers, unreported } from './live-players.ts';
import { otherLabel, room, serverName, slotsOf } from './server-lines.ts';

/** Drivers of a page: each takes a line, or two on a phone. */
const PAGE = 20;
const TRACK = 32;

interface LivePage extends LiveView {
  /** The server as the overview has it now; null where that is not known. */
  readonly listed: Overview[number] | null;
  /** The page, from 0. */
  readonly wanted: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Everyone connected to one server, sorted by duty, and what the service does not report about them. A file that stands still
 * is marked as old.
 */
export function liveCard(
  answer: Answer<LiveStatus>,
  { server, from, listed, wanted, now }: LivePage,
  t: Translator,
): Card {
  const dated = orFrozen(answer, now);
  const { players, track } = answer.record;
  const isRunning = listed?.online === true && slotsOf(listed) !== null && dated.stale === null;
  const label = otherLabel(server, answer.record);
  const sorted = sortedPlayers(players, t);
  const isNamed = namesAnybody(players);
  // Numbers alone are so short that all fit on one page.
  const page = pageOf(sorted, isNamed ? PAGE : Math.max(1, sorted.length), wanted);
  const list = isNamed ? page.rows.map((player) => playerLine(player, t)) : numberLines(sorted, t);
  const row = buttons(
    ...backFromLive({ server, from }, t),
    ...turnsAndRefresh(page, { command: 'live', subject: liveSubject({ server, from }) }, t),
  );
  const content = {
    title: t('live.title', { server: serverName(server, t) }),
    lead: [
      oldData(dated, t),
      label && t('live.labelled', { server: serverName(label, t) }),
      joined(
        t('live.connected', { count: players.length }),
        isRunning ? room({ ...listed, guests: players.length }, t) : null,
        pageLabel(page, t),
      ),
      said(listed?.trackName || (track ?? ''), TRACK) || null,
      reportsDuty(players) ? dutyCounts(answer.record, t) : null,
      unreported(players, t),
    ],
    list,
    sections: [asOf(answer, t)],
    components: [row, ...driverMenu(page.rows, t)],
  };
  return card(content, t);
}
