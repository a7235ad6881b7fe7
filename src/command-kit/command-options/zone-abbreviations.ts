/** Abbreviations such as `EST`: one stands for several zones, or for one that has no summer time where people have it. */
import { findZone } from '../../base/zone.ts';

/** The places that most people mean, the likeliest first. */
const zonesByAbbreviation: Readonly<Record<string, readonly string[]>> = {
  ACDT: ['Australia/Adelaide'],
  ACST: ['Australia/Adelaide', 'Australia/Darwin'],
  ACT: ['Australia/Adelaide', 'America/Rio_Branco'],
  ADT: ['America/Halifax'],
  AEDT: ['Australia/Sydney', 'Australia/Melbourne'],
  AEST: ['Australia/Sydney', 'Australia/Brisbane'],
  AET: ['Australia/Sydney', 'Australia/Brisbane'],
  AKDT: ['America/Anchorage'],
  AKST: ['America/Anchorage'],
  ART: ['America/Buenos_Aires'],
  AST: ['America/Halifax', 'America/Puerto_Rico', 'Asia/Riyadh'],
  AWST: ['Australia/Perth'],
  BRT: ['America/Sao_Paulo'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  CAT: ['Africa/Maputo', 'Africa/Johannesburg'],
  CDT: ['America/Chicago'],
  CEST: ['Europe/Berlin', 'Europe/Paris', 'Europe/Warsaw'],
  CET: ['Europe/Berlin', 'Europe/Paris', 'Europe/Warsaw'],
  CLT: ['America/Santiago'],
  COT: ['America/Bogota'],
  CST: ['America/Chicago', 'America/Mexico_City', 'Asia/Shanghai'],
  CTT: ['Asia/Shanghai'],
  EAT: ['Africa/Nairobi'],
  ECT: ['America/Guayaquil', 'Europe/Paris'],
  EDT: ['America/New_York', 'America/Toronto'],
  EEST: ['Europe/Helsinki', 'Europe/Athens', 'Europe/Kyiv'],
  EET: ['Europe/Helsinki', 'Europe/Athens', 'Europe/Kyiv'],
  EST: ['America/New_York', 'America/Toronto'],
  GST: ['Asia/Dubai'],
  HKT: ['Asia/Hong_Kong'],
  HST: ['Pacific/Honolulu'],
  ICT: ['Asia/Bangkok', 'Asia/Ho_Chi_Minh'],
  IST: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
  JST: ['Asia/Tokyo'],
  KST: ['Asia/Seoul'],
  MDT: ['America/Denver'],
  MESZ: ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich'],
  MET: ['Europe/Berlin', 'Europe/Paris', 'Europe/Warsaw'],
  MEZ: ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich'],
  MSK: ['Europe/Moscow'],
  MST: ['America/Denver', 'America/Phoenix'],
  NDT: ['America/St_Johns'],
  NST: ['America/St_Johns'],
  NZDT: ['Pacific/Auckland'],
  NZST: ['Pacific/Auckland'],
  NZT: ['Pacific/Auckland'],
  PDT: ['America/Los_Angeles', 'America/Vancouver'],
  PET: ['America/Lima'],
  PHT: ['Asia/Manila'],
  PKT: ['Asia/Karachi'],
  PRC: ['Asia/Shanghai'],
  PST: ['America/Los_Angeles', 'America/Vancouver', 'Asia/Manila'],
  ROC: ['Asia/Taipei'],
  ROK: ['Asia/Seoul'],
  SAST: ['Africa/Johannesburg'],
  SGT: ['Asia/Singapore'],
  SST: ['Pacific/Pago_Pago', 'Asia/Singapore'],
  TRT: ['Europe/Istanbul'],
  WAT: ['Africa/Lagos'],
  WEST: ['Europe/Lisbon'],
  WET: ['Europe/Lisbon'],
  WIB: ['Asia/Jakarta'],
};

/** Countries, whose names `Intl` knows too. */
const COUNTRIES = ['CUBA', 'EIRE', 'IRAN'];

/**
 * The zones that somebody may mean by what is no name of a place: `EST`, `PST8PDT`. Null for anything else, even if no zone
 * has that name. Empty for one of which nobody knows: `Etc/GMT+5`, which is five hours *behind* UTC.
 */
export function zonesMeantBy(input: string): readonly string[] | null {
  const name = input.trim().toUpperCase();
  const [, letters] = /^([A-Z]{3,4})(?:\d{1,2}(?:[A-Z]{3,4})?)?$/.exec(name) ?? [];
  const isOffset = /^(?:ETC|SYSTEMV)\/|^(?:UTC|GMT)[+-]?\d/.test(name);
  if (letters === undefined && !isOffset) return null;
  const zone = findZone(name);
  if (zone === 'UTC' || COUNTRIES.includes(name)) return null;
  const zones = isOffset ? [] : zonesByAbbreviation[letters ?? ''];
  if (zones !== undefined) return zones;
  // An abbreviation that nobody uses for a place in particular, or a word of few letters.
  return zone === null ? null : zone.includes('/') ? [zone] : [];
}
