/** Returns the sum of what is measured of each entry. */
export function sumBy<Entry>(entries: readonly Entry[], measure: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + measure(entry), 0);
}
