/** UTF-16 units of a name that count: a login name has 64, and some letters become eighteen. */
const LONGEST = 128;

/**
 * The form compared in a search: without case, diacritics, colour codes and compatibility forms, since nobody types
 * those. Looser than the service, for which Jörg and Jorg are two drivers.
 */
export function searchForm(name: string): string {
  return name
    .slice(0, LONGEST)
    .replace(/\^\d/g, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim();
}

/** Whether a search for what was typed would find the name. */
export function matches(name: string, typed: string): boolean {
  return searchForm(name).includes(searchForm(typed));
}
