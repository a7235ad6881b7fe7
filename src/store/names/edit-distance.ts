/**
 * How many letters must be put in, left out, changed, or swapped with their neighbour to make one text of the other;
 * null for more than `limit`. Only the cells that can stay within the limit are looked at: the cost is that of the
 * text's length times the limit, whatever the other is.
 */
export function editDistance(from: string, to: string, limit: number): number | null {
  if (Math.abs(from.length - to.length) > limit) return null;
  const beyond = limit + 1;
  let before: readonly number[] = [];
  let above: number[] = Array.from({ length: to.length + 1 }, (_, column) => Math.min(column, beyond));
  for (let row = 1; row <= from.length; row += 1) {
    const line = new Array<number>(to.length + 1).fill(beyond);
    line[0] = Math.min(row, beyond);
    let least = line[0];
    const end = Math.min(to.length, row + limit);
    for (let column = Math.max(1, row - limit); column <= end; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (above[column - 1] ?? beyond) + (same ? 0 : 1),
        (above[column] ?? beyond) + 1,
        (line[column - 1] ?? beyond) + 1,
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (before[column - 2] ?? beyond) + 1);
      line[column] = Math.min(cost, beyond);
      least = Math.min(least, line[column] ?? beyond);
    }
    if (least > limit) return null;
    before = above;
    above = line;
  }
  const distance = above[to.length] ?? beyond;
  return distance > limit ? null : distance;
}
