import { DAY } from '../../base/duration.ts';
import { moment, timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import {
  type TopList,
  type TopRow,
  type TopSpan,
  type TopSubject,
  topSubjects,
} from '../../service/models/history.ts';
import { buttons, type Card, card, menu, refreshButton } from '../kit/card.ts';
import { type DriverNames, driverInLine, driverMenu, type NicknameOf } from '../kit/driver.ts';
import { joined, present } from '../kit/lines.ts';
import { type Page, pageLabel, pageOf, turns } from '../kit/paging.ts';
import { knownUntil, missingLine } from './coverage-lines.ts';

export const topSpans = ['week', 'month', 'all'] as const satisfies TopSpan[];

export interface TopView {
  readonly subject: TopSubject;
  readonly span: TopSpan;
  /** From 0. */
  readonly page: number;
}

const PAGE = 15;
const MEDALS = ['🥇', '🥈', '🥉'];

/** The view as it stands in a button's id. */
function topKey({ subject, span }: Pick<TopView, 'subject' | 'span'>): string {
  return `${subject}.${span}`;
}

interface TopContext {
  /** Whether the live files name drivers; null: not known yet. */
  readonly names: boolean | null;
  readonly now: number;
  readonly nicknameOf: NicknameOf;
}

/** Who has the most, with the viewer's choices below. */
export function topCard(list: TopList, view: TopView, about: TopContext, t: Translator): Card {
  const { subject, span } = view;
  const page = pageOf(list.rows, PAGE, view.page);
  const content = {
    title: t('top.title', { what: t(`top.what.${subject}`), span: t(`top.span.${span}`) }),
    lead: [...lead(list, subject, about.names, t), pageLabel(page, t)],
    list: page.rows.map((row) => rowLine(row, subject, about, t)),
    tail: knownUntil(list.until, about.now, t),
    components: [
      ...controls(view, page, t),
      ...driverMenu(
        page.rows.map(({ driver }) => namesOf(driver, about.nicknameOf)),
        t,
      ),
    ],
  };
  return card(content, t);
}

function lead(list: TopList, subject: TopSubject, names: boolean | null, t: Translator) {
  const isLive = subject === 'playtime';
  if (list.rows.length === 0)
    return [t(!isLive ? 'top.noReadings' : names === false ? 'past.noNames' : 'past.nothing')];
  const date = moment(Math.max(list.from, list.since ?? 0), 'time', t);
  return [
    `-# ${t(isLive ? 'top.fromLive' : 'top.fromProfiles')} ${t('top.since', { date })}`,
    missingLine(list, t),
  ];
}

function namesOf(username: string, nicknameOf: NicknameOf): DriverNames {
  return { username, nickname: nicknameOf(username) };
}

/** Profiles are read once a day; an older value may have grown since. In ms. */
const READ_LATELY = DAY;

function rowLine(
  { rank, driver, value, read }: TopRow,
  subject: TopSubject,
  { now, nicknameOf }: TopContext,
  t: Translator,
): string {
  const place = MEDALS[rank - 1] ?? `\`${String(rank).padStart(2)}\``;
  const ago = read === null || now - read < READ_LATELY ? null : timestamp(read, 'relative');
  return joined(
    `${place} **${driverInLine(namesOf(driver, nicknameOf))}** ${topValue(value, subject, t)}`,
    ago && t('top.read', { ago }),
  );
}

function topValue(value: number, subject: TopSubject, t: Translator): string {
  switch (subject) {
    case 'playtime':
    case 'police':
      return t.duration(value / 1000);
    case 'distance':
      return t.distance(value);
    case 'chases':
    case 'money':
      return t.number(value);
  }
}

function controls(view: TopView, page: Page<unknown>, t: Translator) {
  const at = (span: TopSpan) => ({
    ...{ command: 'top', action: 'span', subject: topKey({ ...view, span }) },
    ...{ label: t(`top.span.${span}`), here: span === view.span },
  });
  const id = { command: 'top', action: 'show', subject: topKey(view) };
  const subjects = topSubjects.map((subject) => ({
    ...{ label: t(`top.what.${subject}`), description: '', value: subject, here: subject === view.subject },
  }));
  return [
    menu({ command: 'top', action: 'what', subject: topKey(view) }, t('top.choose'), subjects),
    buttons(...topSpans.map(at)),
    buttons(
      ...turns(page, { ...id, action: 'page' }, t),
      { command: 'top', action: 'mine', subject: topKey(view), label: t('top.mine') },
      refreshButton({ ...id, number: page.page }, t),
    ),
  ];
}

/** The rank of one driver, told to that driver alone. */
export function ownRank(
  list: TopList,
  driver: string,
  subject: TopSubject,
  nicknameOf: NicknameOf,
  t: Translator,
): string {
  const own = list.rows.find((row) => row.driver.toLowerCase() === driver.toLowerCase());
  const player = driverInLine({
    username: driver,
    nickname: own === undefined ? null : nicknameOf(own.driver),
  });
  if (own === undefined) return t('top.notInList', { player });
  const { rank, value } = own;
  const next = list.rows.findLast((row) => row.rank < rank);
  const values = { player, rank, count: list.rows.length, value: topValue(value, subject, t) };
  const behind =
    next && t('top.behind', { value: topValue(next.value - value, subject, t), rank: next.rank });
  return present(t('top.rank', values), behind ?? null).join('\n');
}
