/** Times as programs write them. `Date.parse` alone makes 2 March of a 30 February. */

const isoTime =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d(?:\.\d{1,9})?))?)?\s?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Reads ISO 8601 as databases and PHP write it, with or without dashes and colons, into unix ms. Without a zone it is UTC,
 * whatever this machine's zone. Null for another text, and for a day that no calendar has.
 */
export function readIsoTime(text: string): number | null {
  const [, year, , month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] =
    isoTime.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d):?/, '$1:');
  const at = Date.parse(`${date}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(at) || !new Date(date).toISOString().startsWith(date) ? null : at;
}

/** Reads the form that HTTP prescribes, "Sat, 28 Nov 2026 20:00:00 GMT", into unix ms; null for another text. */
export function readHttpDate(text: string | null): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) || new Date(at).toUTCString() !== text ? null : at;
}
