import { insertRows, type Sql, type Steps, sql } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';

/** How many rows one statement takes. */
export type RowsAtOnce = Pick<Sql, 'rowsAtOnce'>;

/** Notes how names are spelled; the last of one driver counts. */
export function* noteNames(names: readonly string[], at: RowsAtOnce): Steps<void> {
  const rows = [...new Map(names.map((name) => [sameSpelling(name), name]))];
  yield* insertRows(
    at,
    rows,
    (values) => sql`INSERT INTO drivers (driver, name) VALUES ${values}
      ON CONFLICT (driver) DO UPDATE SET name = excluded.name WHERE drivers.name <> excluded.name`,
  );
}
