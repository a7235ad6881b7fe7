/**
 * The number of insertions, deletions, substitutions and swaps of neighbours between two texts (optimal string
 * alignment); null for more than `limit`. Computes only cells that can stay within the limit: the cost is the
 * text's length times the limit.
 */
export function editDistance(from: string, to: string, limit: number): number | null {
  if (Math.abs(from.length - to.length) > limit) return null;
  const beyond = limit + 1;
  // Three rows of the table, reused in rotation.
  let before = new Uint8Array(to.length + 1);
  let above = new Uint8Array(to.length + 1);
  let line = new Uint8Array(to.length + 1);
  for (let column = 0; column <= to.length; column += 1) above[column] = Math.min(column, beyond);
  for (let row = 1; row <= from.length; row += 1) {
    const letter = from.charCodeAt(row - 1);
    const start = Math.max(1, row - limit);
    const end = Math.min(to.length, row + limit);
    line[start - 1] = start === 1 ? Math.min(row, beyond) : beyond;
    let least = beyond;
    for (let column = start; column <= end; column += 1) {
      const replaced = (above[column - 1] ?? beyond) + (letter === to.charCodeAt(column - 1) ? 0 : 1);
      const removed = (above[column] ?? beyond) + 1;
      const added = (line[column - 1] ?? beyond) + 1;
      let cost = Math.min(replaced, removed, added, beyond);
      const isSwapped =
        row > 1 &&
        column > 1 &&
        letter === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1);
      if (isSwapped) cost = Math.min(cost, (before[column - 2] ?? beyond) + 1);
      line[column] = cost;
      least = Math.min(least, cost);
    }
    // Marks the cell just beyond the limit, which the next row reads.
    if (end < to.length) line[end + 1] = beyond;
    if (least > limit && (line[start - 1] ?? beyond) > limit) return null;
    [before, above, line] = [above, line, before];
  }
  const distance = above[to.length] ?? beyond;
  return distance > limit ? null : distance;
}
