import { modelName } from '../../../src/cards/car/car-models.ts';
import { conditionText } from '../../../src/cards/kit/bar.ts';
import { buttonRow } from '../../../src/cards/kit/card.ts';
import { fitLines } from '../../../src/cards/kit/fit-lines.ts';
import { serverLabel, serverName } from '../../../src/cards/servers/server-lines.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeGameText, escapeMarkdown } from '../../../src/text/names.ts';
import type { Condition, Duty, Watch } from '../models/watch.ts';

/** One fact of an alert. */
export type News =
  | { readonly kind: 'driver'; readonly player: string; readonly server: string | null }
  | { readonly kind: 'free' | 'drivers'; readonly server: string; readonly count: number }
  | { readonly kind: Duty; readonly count: number }
  | {
      readonly kind: 'sale';
      readonly vin: string;
      readonly type: string | null;
      readonly price: number | null;
    }
  | {
      readonly kind: 'condition';
      readonly vin: string;
      readonly type: string | null;
      /** 0 to 1. */
      readonly condition: number;
    }
  /** Since when it is down, since when it is back (after so many ms), and since when it is both in turn. `server` null: the data service. */
  | { readonly kind: 'down' | 'unstable'; readonly server: string | null; readonly since: number }
  | {
      readonly kind: 'back';
      readonly server: string | null;
      readonly since: number;
      readonly lasted: number;
      /** `lasted` is the longest possible duration: the exact end is unknown. */
      readonly isAtMost: boolean;
    }
  | { readonly kind: 'licence'; readonly name: string /** Unix milliseconds. */; readonly until: number };

/** The condition of a watch. `show`: how names are written; as they are, for a label. */
export function wantedText(
  wanted: Condition,
  t: Translator,
  show: (name: string) => string = (name) => name,
): string {
  switch (wanted.kind) {
    case 'driver':
      return t('watch.what.driver', { player: show(wanted.player) });
    case 'server': {
      const server = show(serverLabel(wanted.server, t));
      const free = wanted.free === null ? null : t('watch.what.free', { count: wanted.free });
      const drivers = wanted.drivers === null ? null : t('watch.what.drivers', { count: wanted.drivers });
      const one = free ?? drivers;
      if (one === null) return server;
      const what = free === null || drivers === null ? one : t('watch.what.or', { one, other: drivers });
      return t('watch.what.onServer', { server, what });
    }
    case 'duty':
      return wanted.atLeast === 0
        ? t(`watch.what.no-${wanted.duty}`)
        : t(`watch.what.${wanted.duty}`, { n: wanted.atLeast });
    case 'car': {
      const { vin, below } = wanted;
      return below === null
        ? t('watch.what.sale', { vin })
        : t('watch.what.saleBelow', { vin, amount: below });
    }
    case 'mine':
      return t('watch.what.mine', { player: show(wanted.player), share: t.percent(wanted.below / 100) });
    case 'outage': {
      const { server, goes, after } = wanted;
      const label = server === null ? t('uptime.dataService') : show(serverLabel(server, t));
      return t(`watch.goes.${goes}`, { server: label, duration: t.duration(after * 60) });
    }
  }
}

/** The condition of a reminder and its end; null for an alert. */
export function reminderText(
  { condition, once }: Pick<Watch, 'condition' | 'once'>,
  t: Translator,
): string | null {
  if (once === null || condition.kind !== 'server') return null;
  const server = escapeMarkdown(serverLabel(condition.server, t));
  return t('watch.stored.reminder', { server, in: formatMoment(once.until, 'relative', t) });
}

/** Lines of one message: together under Discord's 2000 characters, whatever the names in them. */
const MAX_LINES = 12;

export function alertMessage(
  {
    watches,
    lines,
    roles,
  }: {
    /** The ids of the watches, for the buttons; at most ten. */
    readonly watches: readonly string[];
    readonly lines: readonly { readonly news: News /** Unix milliseconds. */; readonly at: number }[];
    /** Roles to ping. */
    readonly roles: readonly string[];
  },
  t: Translator,
) {
  const texts = [...new Set(lines.map(({ news, at }) => newsLine(news, at, t)))];
  const pings = roles.map((role) => `<@&${role}>`).join(' ');
  const subject = watches.join('.');
  const stop = watches.length === 1 ? t('watch.stop') : t('watch.stopAll', { n: watches.length });
  return {
    content: (pings === '' ? '' : `${pings}\n`) + fitLines(texts, { entries: MAX_LINES }, t),
    components: [
      buttonRow(
        { command: 'watch', action: 'stop', subject, label: stop, emoji: '🔕' },
        { command: 'watch', action: 'snooze', subject, label: t('watch.snooze'), emoji: '💤' },
      ),
    ],
  };
}

/** One line of an alert, with the time at which it was true (unix milliseconds). */
function newsLine(news: News, at: number, t: Translator): string {
  const isSince = news.kind === 'down' || news.kind === 'back';
  return `${newsText(news, t)} · ${formatMoment(isSince ? news.since : at, 'relative', t)}`;
}

/** The fact without its time. */
export function newsText(news: News, t: Translator): string {
  switch (news.kind) {
    case 'driver': {
      const player = escapeMarkdown(news.player);
      return news.server === null
        ? t('watch.news.online', { player })
        : t('watch.news.onlineOn', { player, server: serverName(news.server, t) });
    }
    case 'free':
    case 'drivers': {
      const server = serverName(news.server, t);
      return t(`watch.news.${news.kind}`, { server, count: news.count });
    }
    case 'police':
    case 'medic':
    case 'tow':
    case 'chase':
      return news.count === 0
        ? t(`watch.news.no-${news.kind}`)
        : t(`watch.news.${news.kind}`, { n: news.count });
    case 'sale': {
      const car = carName(news, t);
      return news.price === null
        ? t('watch.news.sale', { car })
        : t('watch.news.saleAt', { car, amount: news.price });
    }
    case 'condition':
      return t('watch.news.condition', { car: carName(news, t), share: conditionText(news.condition, t) });
    case 'down':
    case 'back':
    case 'unstable':
      return outageText(news, t);
    case 'licence': {
      const name = escapeGameText(news.name) || t('licence.unnamed');
      return t('watch.news.licence', { name, date: formatMoment(news.until, 'time', t) });
    }
  }
}

function outageText(news: Extract<News, { kind: 'down' | 'back' | 'unstable' }>, t: Translator): string {
  const what = { server: news.server === null ? '' : serverName(news.server, t) };
  const of = news.server === null ? 'service' : 'server';
  switch (news.kind) {
    case 'down':
      return news.server === null ? t('watch.outage.service.down') : t('watch.outage.server.down', what);
    case 'back': {
      const duration = t.duration(news.lasted / 1000, news.isAtMost ? 'most' : undefined);
      return t(`watch.outage.${of}.${news.isAtMost ? 'backAtMost' : 'back'}`, { ...what, duration });
    }
    case 'unstable':
      return t(`watch.outage.${of}.unstable`, { ...what, date: formatMoment(news.since, 'clock', t) });
  }
}

function carName({ vin, type }: { readonly vin: string; readonly type: string | null }, t: Translator) {
  return type === null ? vin : t('car.title', { model: escapeMarkdown(modelName(type, t)), vin });
}
