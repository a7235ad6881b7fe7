import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Licence } from '../../service/models/licence.ts';
import type { Profile } from '../../service/models/profile.ts';
import { each } from '../kit/fit-lines.ts';
import { joined, said } from '../kit/lines.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

/** In the order shown. */
const states = ['valid', 'suspended', 'expired', 'revoked', 'unknown'] as const;
type State = (typeof states)[number];

/** Maximum characters of an issuer's name. */
const ISSUER = 32;

/** A driver's licences with their state in words. */
export function licences(
  { record: { licences: held }, asOf }: Answer<Profile>,
  _place: Place,
  t: Translator,
): ViewContent {
  const heading = `**${t('profile.view.licences')}**`;
  if (held === null) return { lead: [heading, t('licence.missing')] };
  if (held.length === 0) return { lead: [heading, t('licence.none')] };
  return {
    lead: [joined(heading, licenceCounts(held, asOf, t))],
    list: each(held, (licence) => licenceLine(licence, asOf, t)),
  };
}

/** "3 valid · 1 suspended". */
export function licenceCounts(held: readonly Licence[], asOf: number, t: Translator): string {
  const byState = Map.groupBy(held, (licence) => stateOf(licence, asOf));
  return joined(
    ...states.map((state) => {
      const count = byState.get(state)?.length ?? 0;
      return count === 0 ? null : t(`licence.count.${state}`, { count });
    }),
  );
}

function licenceLine(licence: Licence, asOf: number, t: Translator): string {
  const name = said(licence.name ?? '') || said(licence.type ?? '') || t('licence.unnamed');
  return joined(`**${name}**`, stateWords(licence, asOf, t), issueWords(licence, t));
}

/** When and by whom it was issued, as far as known. */
function issueWords({ issued, issuedBy }: Licence, t: Translator): string | null {
  const when = issued === null ? null : timestamp(issued, 'day');
  const issuer = issuerName(issuedBy, t);
  if (when === null) return issuer === null ? null : t('licence.issuedBy', { issuer });
  return issuer === null ? t('licence.issued', { when }) : t('licence.issuedOnBy', { when, issuer });
}

/** A user id, which we cannot resolve to a name, or a username as the service sent in 2017. */
function issuerName(issuedBy: string | null, t: Translator): string | null {
  const shown = said(issuedBy ?? '', ISSUER);
  if (shown === '') return null;
  return /^\d+$/.test(shown) ? t('licence.issuerId', { id: shown }) : shown;
}

/**
 * The service's own flags decide. Where it sends none, the dates do, compared with the record's own time: a card
 * has no clock.
 */
function stateOf(licence: Licence, asOf: number): State {
  const { revoked, suspended, expired, suspendedUntil, validUntil } = licence;
  // Strongest first: nothing makes a revoked licence valid.
  if (revoked === true) return 'revoked';
  if (suspended ?? (suspendedUntil !== null && suspendedUntil > asOf)) return 'suspended';
  if (expired ?? (validUntil !== null && validUntil <= asOf)) return 'expired';
  const reported = [revoked, suspended, expired, validUntil].some((value) => value !== null);
  return reported ? 'valid' : 'unknown';
}

function stateWords(licence: Licence, asOf: number, t: Translator): string {
  const until = licence.validUntil === null ? null : timestamp(licence.validUntil, 'day');
  switch (stateOf(licence, asOf)) {
    case 'revoked':
      return t('licence.revoked');
    case 'suspended':
      return joined(suspension(licence, t), afterSuspension(licence, asOf, until, t));
    case 'expired':
      return until === null ? t('licence.expired') : t('licence.expiredOn', { when: until });
    case 'valid':
      return until === null ? t('licence.valid') : t('licence.validUntil', { when: until });
    case 'unknown':
      return t('licence.unknown');
  }
}

function suspension({ suspendedUntil }: Licence, t: Translator): string {
  const when = suspendedUntil === null ? null : timestamp(suspendedUntil, 'time');
  return when === null ? t('licence.suspended') : t('licence.suspendedUntil', { when });
}

/** Whether the licence is still valid after the suspension. */
function afterSuspension(licence: Licence, asOf: number, until: string | null, t: Translator): string | null {
  const { expired, validUntil } = licence;
  if (expired ?? (validUntil !== null && validUntil <= asOf))
    return until === null ? t('licence.expired') : t('licence.expiredOn', { when: until });
  return until === null ? null : t('licence.thenValidUntil', { when: until });
}
