import { DAY } from '../../base/duration.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Licence } from '../../service/models/licence.ts';
import { joined } from '../kit/lines.ts';

/** In the order shown; `soon` is still valid. */
const states = ['soon', 'valid', 'suspended', 'expired', 'revoked', 'unknown'] as const;
export type LicenceState = (typeof states)[number];

/** As early as an alert is sent of it. In ms. */
const SOON = 7 * DAY;

/**
 * The service's own flags decide, and the dates where it sends none or where the date beside a flag shows that it is an
 * old one. Dates are compared with the record's own time: a card has no clock.
 */
function licenceState(licence: Licence, asOf: number): LicenceState {
  const { revoked, suspended, suspendedUntil, expired, validUntil } = licence;
  // Strongest first: nothing makes a revoked licence valid.
  if (revoked === true) return 'revoked';
  const isOver = suspendedUntil !== null && suspendedUntil <= asOf;
  if (suspended === true ? !isOver : suspended === null && suspendedUntil !== null && !isOver)
    return 'suspended';
  if (hasExpired(licence, asOf)) return 'expired';
  const isReported = [revoked, suspended, expired, validUntil].some((value) => value !== null);
  if (!isReported || licence.hasUnclearEnd) return 'unknown';
  return validUntil !== null && validUntil > asOf && validUntil - asOf <= SOON ? 'soon' : 'valid';
}

export function hasExpired({ expired, validUntil }: Licence, asOf: number): boolean {
  return expired === true || (validUntil !== null && validUntil <= asOf);
}

/** By state, and within one as the service lists them. */
export function byState(held: readonly Licence[], asOf: number) {
  const stated = held.map((licence) => ({ licence, state: licenceState(licence, asOf) }));
  return states.flatMap((state) => stated.filter((each) => each.state === state));
}

/** "3 valid · 1 suspended", with these signs before them. */
export function licenceCounts(
  held: readonly Licence[],
  asOf: number,
  t: Translator,
  signs: Readonly<Record<LicenceState, string>> | null = null,
): string {
  const stated = byState(held, asOf);
  const counted = (['valid', 'suspended', 'expired', 'revoked', 'unknown'] as const).map((state) => {
    const count = stated.filter((each) => (each.state === 'soon' ? 'valid' : each.state) === state).length;
    const counted = t(`licence.count.${state}`, { count });
    return count === 0 ? null : signs === null ? counted : `${signs[state]} ${counted}`;
  });
  return joined(...counted);
}

/** In one line: "5 of 8 valid". By state where they all have one, or where one is not known and may be valid too. */
export function licencesInShort(held: readonly Licence[], asOf: number, t: Translator): string {
  const shown = held
    .map((licence) => licenceState(licence, asOf))
    .map((state) => (state === 'soon' ? 'valid' : state));
  if (shown.includes('unknown') || shown.every((state) => state === shown[0]))
    return licenceCounts(held, asOf, t);
  return t('licence.validOf', {
    valid: shown.filter((state) => state === 'valid').length,
    all: held.length,
  });
}
