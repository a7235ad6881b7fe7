import { ROW_WIDTH, tableBlock } from '../../../src/cards/kit/block.ts';
import type { Content } from '../../../src/cards/kit/card.ts';
import { fitLines, linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { formatOptional, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { zonedFormats } from '../../../src/i18n/zoned-formats.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { byState, hasExpired, type Licence } from '../../../src/service/models/licence.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import { cutText } from '../../../src/text/cut.ts';
import { escapeGameText, escapeMarkdown } from '../../../src/text/names.ts';
import { toPlainText } from '../../../src/text/plain.ts';

/** Rows of the table; more than there are kinds of licences. */
const MAX_ROWS = 20;
/** Columns of a sign, and one kept free, since a phone may draw a sign wider. */
const SIGN_WIDTH = 3;
/** Maximum characters of an issuer's name. */
const MAX_ISSUER_LENGTH = 32;
/** Maximum characters read of a name. */
const MAX_NAME_LENGTH = 200;
/** Characters of what is about to change, and of what was issued when. */
const MAX_CHANGES_LENGTH = 700;
const MAX_ISSUED_LENGTH = 500;

/** A driver's licences: how many in which state, all of them in a table, what is about to change, and when they were issued. */
export function licencesView(
  { record: { licences: held }, asOf }: Answer<Profile>,
  t: Translator,
): Omit<Content, 'title'> {
  const heading = `**${t('profile.view.licences')}**`;
  if (held === null) return { lead: [heading, t('licence.missing')] };
  if (held.length === 0) return { lead: [heading, t('licence.none')] };
  const rows = byState(held, asOf);
  const shownRows = rows.slice(0, MAX_ROWS);
  const changing = rows.filter(({ state }) => state === 'soon' || state === 'suspended');
  const changes = linePerRow(changing, (row) => changeLine(row, asOf, t));
  const issued = issuedList(rows, t);
  return {
    lead: [
      // The table has the signs alone: here they stand beside their words.
      licenceCounts(counted(rows), t, signs),
      stateTable(shownRows, t),
      rows.length === shownRows.length ? null : t('card.more', { n: rows.length - shownRows.length }),
      fitLines(changes, { characters: MAX_CHANGES_LENGTH }, t) || null,
      labelledFact(
        t('licence.issuedHeading'),
        fitLines(issued, { characters: MAX_ISSUED_LENGTH, between: ' · ' }, t) || null,
      ),
    ],
  };
}

type LicenceRow = ReturnType<typeof byState>[number];
type LicenceState = LicenceRow['state'];

const signs: Readonly<Record<LicenceState, string>> = {
  valid: '✅',
  soon: '⏳',
  suspended: '⏸️',
  expired: '⌛',
  revoked: '⛔',
  unknown: '❔',
};

/**
 * Table of at most a phone's width. The sign comes first, since a phone draws it wider or narrower than two letters, and
 * so moves every row alike. Dates are of UTC.
 */
function stateTable(rows: readonly LicenceRow[], t: Translator): string {
  const { tableDate } = zonedFormats(t.locale, 'UTC');
  const endText = (row: LicenceRow) => formatOptional(endOf(row), tableDate);
  const ofDate = Math.max(...[t('licence.until'), ...rows.map(endText)].map((text) => text?.length ?? 0));
  const ofName = ROW_WIDTH - SIGN_WIDTH - ofDate - 2;
  const names = fittingNames(namesOf(rows, t), ofName);
  return tableBlock(
    [
      { cell: ({ row }) => signs[row.state] },
      { heading: t('licence.name'), most: ofName, cell: ({ name }) => name },
      { heading: t('licence.until'), cell: ({ row }) => endText(row) },
    ],
    rows.map((row, index) => ({ row, name: names[index] ?? '' })),
  );
}

/** Shortens names; if two begin alike, their ends stay: "Police Lice…ce A". */
function fittingNames(names: readonly string[], maxLength: number): readonly string[] {
  const short = names.map((name) => cutText(name, maxLength));
  return names.map((name, index) => {
    const isAmbiguous = name.length > maxLength && short.filter((other) => other === short[index]).length > 1;
    return isAmbiguous
      ? cutText(name, maxLength - TAIL_LENGTH) + name.slice(-TAIL_LENGTH)
      : (short[index] ?? name);
  });
}

/** Letters of such an end. */
const TAIL_LENGTH = 4;

/** When the state ends, or has begun for an expired licence; null where it has no end. */
function endOf({ licence: { validUntil, suspendedUntil }, state }: LicenceRow): number | null {
  if (state === 'revoked') return null;
  return state === 'suspended' ? suspendedUntil : validUntil;
}

/** Without the word in which all of them end: "Police" and "Race" instead of "Police licence" and "Race licence". */
function namesOf(rows: readonly LicenceRow[], t: Translator): readonly string[] {
  const names = rows.map(({ licence }) => plainName(licence, t));
  const split = names.map((name) => name.split(/\s+/u));
  const last = split[0]?.at(-1);
  const isShared = split.length > 1 && split.every((all) => all.length > 1 && all.at(-1) === last);
  return isShared ? split.map((all) => all.slice(0, -1).join(' ')) : names;
}

function plainName({ name, type }: Licence, t: Translator): string {
  const of = (text: string | null): string => toPlainText((text ?? '').slice(0, MAX_NAME_LENGTH)).trim();
  return of(name) || of(type) || t('licence.unnamed');
}

/** The change that comes next, in the reader's own time. */
function changeLine({ licence, state }: LicenceRow, asOf: number, t: Translator): string {
  const name = `**${escapeMarkdown(plainName(licence, t))}**`;
  if (state === 'suspended')
    return joinParts(name, suspension(licence, t), afterSuspension(licence, asOf, t));
  const ending = formatTimestamp(licence.validUntil, 'relative');
  return joinParts(name, ending === null ? t('licence.soon') : t('licence.soonOn', { in: ending }));
}

function suspension({ suspendedUntil }: Licence, t: Translator): string {
  const date = formatTimestamp(suspendedUntil, 'time');
  return date === null ? t('licence.suspended') : t('licence.suspendedUntil', { date });
}

/** Says whether the licence is still valid then. */
function afterSuspension(licence: Licence, asOf: number, t: Translator): string | null {
  const { validUntil, suspendedUntil } = licence;
  const endDate = formatTimestamp(validUntil, 'day');
  if (hasExpired(licence, asOf))
    return endDate === null ? t('licence.expired') : t('licence.expiredOn', { date: endDate });
  // An unreadable field may make the licence invalid.
  if (endDate === null || licence.isUnclear) return null;
  const endsBefore = validUntil !== null && suspendedUntil !== null && validUntil <= suspendedUntil;
  return t(endsBefore ? 'licence.endsBefore' : 'licence.thenValidUntil', { date: endDate });
}

/** When and by whom each was issued, as far as known. Days are of UTC. */
function issuedList(rows: readonly LicenceRow[], t: Translator): readonly string[] {
  const names = namesOf(rows, t);
  const { date } = zonedFormats(t.locale, 'UTC');
  return rows.flatMap(({ licence: { issued, issuedBy } }, index) => {
    const when = formatOptional(issued, date);
    const issuer = issuerName(issuedBy);
    if (when === null && issuer === null) return [];
    const by = issuer === null ? '' : ` (${issuer})`;
    return `${escapeMarkdown(names[index] ?? '')}${when === null ? '' : ` ${when}`}${by}`;
  });
}

/** A username, as the service sent in 2017; null for a user id, which means nothing to anyone. */
function issuerName(issuedBy: string | null): string | null {
  const name = escapeGameText(issuedBy ?? '', MAX_ISSUER_LENGTH);
  return name === '' || /^\d+$/.test(name) ? null : name;
}

/** Groups licences by state; `soon` counts as valid. */
function counted(rows: readonly LicenceRow[]) {
  return Map.groupBy(rows, ({ state }) => (state === 'soon' ? 'valid' : state));
}

/** "3 valid · 1 suspended", with these signs before them. */
function licenceCounts(
  counts: ReturnType<typeof counted>,
  t: Translator,
  signsBefore: typeof signs | null,
): string {
  const texts = [...counts].map(([state, { length: count }]) => {
    const text = t(`licence.count.${state}`, { count });
    return signsBefore === null ? text : `${signsBefore[state]} ${text}`;
  });
  return joinParts(...texts);
}

/** In one line: "5 of 8 valid". By state where they all have one, or where one is not known and may be valid too. */
export function licencesInShort(licences: readonly Licence[], asOf: number, t: Translator): string {
  const counts = counted(byState(licences, asOf));
  if (counts.size === 1 || counts.has('unknown')) return licenceCounts(counts, t, null);
  return t('licence.validOf', { valid: counts.get('valid')?.length ?? 0, all: licences.length });
}
