/** SQL in the subset that SQLite and PostgreSQL both take: each store is written once, and a driver runs it. */

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** A statement, or a part of one, cut where its values stand. */
export interface Query {
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** Makes a statement; a query in it becomes a part of it. PostgreSQL wants to know the type of a value that nothing else tells. */
export function sql(strings: TemplateStringsArray, ...inserted: readonly (SqlValue | Query)[]): Query {
  return compose(strings, inserted);
}

/** Makes one of several parts, with commas between them. */
export function listSql(queries: readonly Query[]): Query {
  return compose([...queries.map((_, index) => (index === 0 ? '' : ', ')), ''], queries);
}

/** Names of tables or columns as a part of a statement: ours, and none that came from outside. */
export function namesSql(...names: readonly string[]): Query {
  return { parts: [names.join(', ')], values: [] };
}

/** Makes a row of the values of an INSERT. */
export function rowSql(values: readonly SqlValue[]): Query {
  return compose(['(', ...values.slice(1).map(() => ', '), ')'], values);
}

function compose(strings: readonly string[], inserted: readonly (SqlValue | Query)[]): Query {
  const parts = [strings[0] ?? ''];
  const values: SqlValue[] = [];
  const append = (text: string): void => void parts.push(`${parts.pop() ?? ''}${text}`);
  inserted.forEach((part, index) => {
    if (part === null || typeof part !== 'object') {
      values.push(part);
      parts.push('');
    } else {
      const [first = '', ...rest] = part.parts;
      append(first);
      parts.push(...rest);
      values.push(...part.values);
    }
    append(strings[index + 1] ?? '');
  });
  return { parts, values };
}

/**
 * The work of one transaction: it yields statements and gets their rows back. It awaits nothing, so that SQLite runs it in one
 * go; a transaction that were open across an `await` would lock out the other connections to the file.
 */
export type Steps<Result> = Generator<Query, Result, readonly Row[]>;

/**
 * Inserts rows of equal length, as many at once as the database takes: across a network, each statement costs a round trip. `into`
 * makes the statement around the rows, with no values of its own. Returns what the statements return.
 */
export function* insertRows(
  { rowsAtOnce }: Pick<Sql, 'rowsAtOnce'>,
  rows: readonly (readonly SqlValue[])[],
  into: (rows: Query) => Query,
): Steps<readonly Row[]> {
  const returned: Row[] = [];
  let [parts, count]: [Query['parts'], number] = [[], 0];
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce);
    if (some.length !== count) ({ parts } = into(listSql(some.map(rowSql))));
    count = some.length;
    for (const row of yield { parts, values: some.flat() }) returned.push(row);
  }
  return returned;
}

/** One database. Every call rejects with a `StoreError` if the database fails; a write may still have happened. */
export interface Sql {
  /** Returns the expression for the time of the database's own clock, in unix milliseconds. */
  now(): Query;
  /** Rows that one statement may look at: SQLite works on the thread that calls it. */
  readonly rowsAtOnce: number;
  /** Runs one statement that changes nothing. It sees every write that has resolved. */
  read(query: Query): Promise<readonly Row[]>;
  /**
   * Runs a transaction: all or nothing, and no other one writes meanwhile. `durable`: whether its writes survive a power cut once
   * it has resolved; as the database was opened if it is left out.
   */
  write<Result>(work: () => Steps<Result>, durable?: boolean): Promise<Result>;
}

/** Runs the steps of a transaction in one go. */
export function runSteps<Result>(steps: Steps<Result>, run: (query: Query) => readonly Row[]): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next(run(step.value));
  return step.value;
}

/*
 * Columns of rows, checked by hand: a question about a year reads tens of thousands, for which zod takes longer than it may. Their
 * tables have strict types, so a value of another one is a fault of ours.
 */

export function numberIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`no number in column ${column}`);
  return value;
}

export function numberOrNullIn(row: Row, column: string): number | null {
  return row[column] === null ? null : numberIn(row, column);
}

export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`no text in column ${column}`);
  return value;
}
