import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { displayName } from '../../text/plain.ts';
import { buttons, type Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { joined, named, said } from '../kit/lines.ts';
import { pageLabel, pageOf, turnsAndRefresh } from '../kit/paging.ts';
import { dutyCounts, playerDuty } from './duty.ts';
import { serverName } from './server-lines.ts';

type Player = LiveStatus['players'][number];

const PAGE = 20;
const NAME = 40;
const PLACE = 32;
const VIN = 8;

/** Everyone connected to one server, in pages, with what each one is doing. */
export function liveCard(
  server: LiveServer,
  answer: Answer<LiveStatus>,
  wanted: number,
  t: Translator,
): Card {
  const { record } = answer;
  const page = pageOf(record.players.toSorted(byNumber), PAGE, wanted);
  const list = page.rows.map((player) => playerLine(player, t));
  const body = {
    title: t('live.title', { server: serverName(server, t) }),
    lead: [
      ...oldData(answer, t),
      joined(t('live.connected', { count: record.players.length }), pageLabel(page, t)),
      said(record.track ?? '', PLACE),
      dutyCounts(record, t) ?? '',
    ].filter((line) => line !== ''),
    ...(list.length === 0 ? {} : { list }),
    sections: [asOf(answer, t)],
  };
  return {
    embeds: [embed(body, t)],
    components: [buttons(...turnsAndRefresh(page, { command: 'live', subject: server }, t))],
  };
}

/** By number; players without one come last. */
function byNumber(a: Player, b: Player): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  return first === second ? 0 : first - second;
}

function numberOf({ plid }: Player): number {
  return plid !== null && /^\d{1,9}$/.test(plid) ? Number(plid) : Number.MAX_SAFE_INTEGER;
}

/** As much as is known: number in the game, name, place, car, activity. */
function playerLine(player: Player, t: Translator): string {
  const { plid, username, nickname, place, vin } = player;
  const isNamed = username !== null || nickname !== null;
  const name = isNamed ? named(displayName(nickname, username ?? ''), NAME) : null;
  const number = said(plid ?? '', 10);
  return (
    joined(
      number === '' ? null : `**${number}**`,
      name,
      said(place ?? '', PLACE),
      said(vin ?? '', VIN),
      playerDuty(player, t),
    ) || t('live.unnamed')
  );
}
