import { and, eq, getTableColumns, type SQL, type SQLWrapper, type Table } from 'drizzle-orm';

/** The condition that the columns of a table equal these values, or columns of other tables. */
export function columnsEqual<T extends Table>(table: T, values: ColumnValues<T>): SQL | undefined {
  const columns = getTableColumns(table);
  return and(
    ...Object.entries(values).map(([name, value]) => eq(columns[name] ?? missing(name), value)),
  );
}

type ColumnValues<T extends Table> = {
  [Name in keyof T['$inferSelect']]?: NonNullable<T['$inferSelect'][Name]> | SQLWrapper;
};

function missing(name: string): never {
  throw new Error(`The table has no column ${name}`);
}
