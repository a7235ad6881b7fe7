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

/** Everybody who is connected to one server, in pages, with what each one does. */
export function liveCard(
  server: LiveServer,
  answer: Answer<LiveStatus>,
  wanted: number,
  t: Translator,
): Card {
  const { record } = answer;
  const page = pageOf(record.players.toSorted(byId), PAGE, wanted);
  const list = page.rows.map((player) => playerLine(player, t));
  const body = {
    title: t('live.title', { server: serverName(server, t) }),
    lead: [
      ...oldData(answer, t),
      joined(t('live.connected', { count: record.players.length }), pageLabel(page, t)),
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

/** Player ids are numbers in a string (interface §2.1); others come behind them. */
function byId(a: Player, b: Player): number {
  const [first, second] = [Number(a.plid), Number(b.plid)];
  if (Number.isNaN(first) || Number.isNaN(second))
    return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
  return first - second;
}

/** The number is the player's id in the game. */
function playerLine(player: Player, t: Translator): string {
  const { plid, username, nickname } = player;
  const name =
    username === null && nickname === null ? null : named(displayName(nickname, username ?? ''), NAME);
  return joined(`**${said(plid, 10) || '?'}**`, name, playerDuty(player, t));
}
