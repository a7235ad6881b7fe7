import { DAY } from '../../../src/base/duration.ts';
import { knownUntil, missingLine } from '../../../src/cards/history/coverage-lines.ts';
import { columnsOf, namesOf, topValue } from '../../../src/cards/history/ranking.ts';
import { type Column, listBlock } from '../../../src/cards/kit/block.ts';
import { buttonRow, type Card, createCard, menuRow, refreshButton } from '../../../src/cards/kit/card.ts';
import { driverInLine, driverMenu, type NicknameOf } from '../../../src/cards/kit/driver.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import { type Page, pageButtons, pageOf } from '../../../src/cards/kit/paging.ts';
import {
  type TopList,
  type TopRow,
  type TopSpan,
  type TopSubject,
  topSpans,
  topSubjects,
} from '../../../src/community/history/history.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';

export interface TopView {
  readonly subject: TopSubject;
  readonly span: TopSpan;
  /** From 0. */
  readonly page: number;
}

const PAGE_SIZE = 10;
/** The view as it stands in a button's id. */
function topKey({ subject, span }: Pick<TopView, 'subject' | 'span'>): string {
  return `${subject}.${span}`;
}

interface TopContext {
  /** The live files name drivers; null: not known yet. */
  readonly names: boolean | null;
  readonly now: number;
  readonly nicknameOf: NicknameOf;
}

/** The ranking, with the viewer's choices below. */
export function topCard(ranking: TopList, view: TopView, context: TopContext, t: Translator): Card {
  const { subject, span } = view;
  const page = pageOf(ranking.rows, PAGE_SIZE, view.page);
  const isOlder = ({ read }: TopRow): boolean => read !== null && context.now - read >= READ_RECENTLY_MS;
  const older: Column<TopRow> = { before: ' ', cell: (row) => (isOlder(row) ? OLDER : null) };
  const asOfText = knownUntil(ranking.until, context.now, t);
  const content = {
    title: t('top.title', { what: t(`top.what.${subject}`), span: t(`top.span.${span}`) }),
    lead: lead(ranking, subject, context.names, t),
    list: listBlock([...columnsOf(subject, context.nicknameOf, t), older], page.rows, t),
    tail: page.rows.some(isOlder) ? `${asOfText} · \\${OLDER} ${t('top.read')}` : asOfText,
    components: [
      ...controls(view, page, t),
      ...driverMenu(
        page.rows.map(({ driver }) => namesOf(driver, context.nicknameOf)),
        t,
      ),
    ],
  };
  return createCard(content, t);
}

function lead(list: TopList, subject: TopSubject, names: boolean | null, t: Translator) {
  const isLive = subject === 'playtime';
  if (list.rows.length === 0)
    return [t(!isLive ? 'top.noReadings' : names === false ? 'past.noNames' : 'past.nothing')];
  const date = formatMoment(Math.max(list.from, list.since ?? 0), 'date', t);
  return [
    `-# ${t(isLive ? 'top.fromLive' : 'top.fromProfiles')} ${t('top.since', { date })}`,
    missingLine(list, t),
  ];
}

/** Profiles are read once a day; an older value may have grown since. In ms. */
const READ_RECENTLY_MS = DAY;

/** Marks a value that is older. */
const OLDER = '*';
function controls(view: TopView, page: Page<unknown>, t: Translator) {
  const at = (span: TopSpan) => ({
    command: 'top',
    action: 'span',
    subject: topKey({ ...view, span }),
    label: t(`top.span.${span}`),
    here: span === view.span,
  });
  const id = { command: 'top', action: 'show', subject: topKey(view) };
  const subjects = topSubjects.map((subject) => ({
    label: t(`top.what.${subject}`),
    value: subject,
    here: subject === view.subject,
  }));
  return [
    menuRow({ command: 'top', action: 'what', subject: topKey(view) }, t('top.choose'), subjects),
    buttonRow(...topSpans.map(at)),
    buttonRow(
      ...pageButtons(page, { ...id, action: 'page' }, t),
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
  const ownRow = list.rows.find((row) => row.driver.toLowerCase() === driver.toLowerCase());
  const player = driverInLine({
    username: driver,
    nickname: ownRow === undefined ? null : nicknameOf(ownRow.driver),
  });
  if (ownRow === undefined) return t('top.notInList', { player });
  const { rank, value } = ownRow;
  const next = list.rows.findLast((row) => row.rank < rank);
  const values = { player, rank, count: list.rows.length, value: topValue(value, subject, t) };
  const gapText =
    next && t('top.behind', { value: topValue(next.value - value, subject, t), rank: next.rank });
  return compact(t('top.rank', values), gapText ?? null).join('\n');
}
