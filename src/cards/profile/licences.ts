import { timestamp } from '../../i18n/timestamp.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Licence } from '../../service/models/licence.ts';
import type { Profile } from '../../service/models/profile.ts';
import { plain } from '../../text/plain.ts';
import { each } from '../kit/fit-lines.ts';
import { joined, named, said } from '../kit/lines.ts';
import { table } from '../kit/table.ts';
import { byState, hasExpired, type LicenceState, licenceCounts } from './licence-state.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

/** Rows of the table; more than there are kinds of licences. */
const ROWS = 20;
/** Letters of the table, and of a state with its sign, which is one letter and drawn as two. */
const WIDTH = 36;
const STATE = 14;
/** Maximum characters of an issuer's name. */
const ISSUER = 32;
/** Maximum characters read of a name. */
const NAME = 200;

const words: Readonly<Record<LicenceState, TextKey>> = {
  soon: 'licence.soon',
  valid: 'licence.valid',
  suspended: 'licence.suspended',
  expired: 'licence.expired',
  revoked: 'licence.revoked',
  unknown: 'licence.unknown',
};

/** A driver's licences: a table of their states, what is about to change to the minute, and who issued them. */
export function licences(
  { record: { licences: held }, asOf }: Answer<Profile>,
  _place: Place,
  t: Translator,
): ViewContent {
  const heading = `**${t('profile.view.licences')}**`;
  if (held === null) return { lead: [heading, t('licence.missing')] };
  if (held.length === 0) return { lead: [heading, t('licence.none')] };
  const rows = byState(held, asOf);
  const shown = rows.slice(0, ROWS);
  const left = rows.length - shown.length;
  const changing = rows.filter(({ state }) => state === 'soon' || state === 'suspended');
  const issued = rows.flatMap(({ licence }) => issueLine(licence, t) ?? []);
  return {
    wide: true,
    lead: [
      joined(heading, licenceCounts(held, asOf, t)),
      stateTable(shown, t),
      ...(left === 0 ? [] : [t('card.more', { n: left })]),
    ],
    ...(changing.length === 0 ? {} : { list: each(changing, (row) => changeLine(row, asOf, t)) }),
    sections: issued.length === 0 ? [] : [{ name: t('licence.issuedHeading'), lines: issued }],
  };
}

type Row = ReturnType<typeof byState>[number];

/**
 * {@link WIDTH} letters wide at most. The state comes first, since a phone draws its sign wider or narrower than two
 * letters, and so moves every row alike. Dates are of UTC.
 */
function stateTable(rows: readonly Row[], t: Translator): string {
  const names = distinctive(rows.map(({ licence }) => plainName(licence, t)));
  const { date } = zonedFormats(t.locale, 'UTC');
  const cells = rows.map(({ licence, state }, index) => {
    const end = endOf(licence, state);
    return [t(words[state]), names[index] ?? '', end === null ? null : date(end)] as const;
  });
  const longest = (texts: readonly (string | null)[]): number =>
    Math.max(...texts.map((text) => text?.length ?? 0));
  const headings = [t('licence.state'), t('licence.name'), t('licence.until')] as const;
  const ofState = Math.min(STATE, longest([headings[0], ...cells.map(([state]) => state)]) + 1);
  const ofDate = longest([headings[2], ...cells.map(([, , end]) => end)]);
  return table(
    [
      { heading: headings[0], align: 'left', most: ofState },
      { heading: headings[1], align: 'left', most: WIDTH - ofState - ofDate - 2 },
      { heading: headings[2], align: 'left', most: ofDate },
    ],
    cells,
  );
}

/** When the state ends, or has begun for an expired licence; null where it has no end. */
function endOf({ validUntil, suspendedUntil }: Licence, state: LicenceState): number | null {
  const end = state === 'suspended' ? suspendedUntil : validUntil;
  const isShown = state !== 'revoked' && end !== null && timestamp(end, 'day') !== null;
  return isShown ? end : null;
}

/** Without the word in which all of them end: "Police" and "Race" instead of "Police licence" and "Race licence". */
function distinctive(names: readonly string[]): readonly string[] {
  const split = names.map((name) => name.split(/\s+/u));
  const last = split[0]?.at(-1);
  const isShared = split.length > 1 && split.every((all) => all.length > 1 && all.at(-1) === last);
  return isShared ? split.map((all) => all.slice(0, -1).join(' ')) : names;
}

function plainName({ name, type }: Licence, t: Translator): string {
  const of = (text: string | null): string => plain((text ?? '').slice(0, NAME)).trim();
  return of(name) || of(type) || t('licence.unnamed');
}

/** What is about to change, in the reader's own time. */
function changeLine({ licence, state }: Row, asOf: number, t: Translator): string {
  const name = `**${named(plainName(licence, t))}**`;
  if (state === 'suspended') return joined(name, suspension(licence, t), afterSuspension(licence, asOf, t));
  const ending = licence.validUntil === null ? null : timestamp(licence.validUntil, 'relative');
  return joined(name, ending === null ? t('licence.soon') : t('licence.soonOn', { in: ending }));
}

function suspension({ suspendedUntil }: Licence, t: Translator): string {
  const date = suspendedUntil === null ? null : timestamp(suspendedUntil, 'time');
  return date === null ? t('licence.suspended') : t('licence.suspendedUntil', { date });
}

/** Whether the licence is still valid after the suspension. */
function afterSuspension(licence: Licence, asOf: number, t: Translator): string | null {
  const { validUntil, suspendedUntil } = licence;
  const until = validUntil === null ? null : timestamp(validUntil, 'day');
  if (hasExpired(licence, asOf))
    return until === null ? t('licence.expired') : t('licence.expiredOn', { date: until });
  if (until === null) return null;
  const endsBefore = validUntil !== null && suspendedUntil !== null && validUntil <= suspendedUntil;
  return t(endsBefore ? 'licence.endsBefore' : 'licence.thenValidUntil', { date: until });
}

/** When and by whom it was issued, as far as known. */
function issueLine(licence: Licence, t: Translator): string | null {
  const when = licence.issued === null ? null : timestamp(licence.issued, 'day');
  const issuer = issuerName(licence.issuedBy, t);
  if (when === null && issuer === null) return null;
  return joined(`**${named(plainName(licence, t))}**`, when, issuer);
}

/** A user id, which we cannot resolve to a name, or a username as the service sent in 2017. */
function issuerName(issuedBy: string | null, t: Translator): string | null {
  const shown = said(issuedBy ?? '', ISSUER);
  if (shown === '') return null;
  return /^\d+$/.test(shown) ? t('licence.issuerId', { id: shown }) : shown;
}
