import { Column, SQL, is } from 'drizzle-orm';

/** A selected value: where it goes in the row, and what it is. */
export type SelectedField = { path: string[]; field: unknown };

type Decoder = { mapFromDriverValue(value: unknown): unknown };

/**
 * Makes rows of the values that the driver gives, as the query builder does; that one looks up for
 * each value of each row how it is read, which takes longer than reading it.
 *
 * @returns undefined for rows with objects in them, and for fields that are neither columns nor SQL
 */
export function createRowMapper(
  fields: readonly SelectedField[] | undefined,
): ((rows: readonly unknown[][]) => Record<string, unknown>[]) | undefined {
  const columns = fields?.map(({ path, field }) => ({ path, decoder: decoderOf(field) }));
  if (!columns?.every(({ path, decoder }) => path.length === 1 && decoder)) return undefined;
  const reads = columns.map(({ path: [name = ''], decoder }) => ({ name, decoder }));
  return (rows) =>
    rows.map((values) => {
      const row: Record<string, unknown> = {};
      reads.forEach(({ name, decoder }, index) => {
        const value = values[index];
        row[name] = value === null ? null : decoder?.mapFromDriverValue(value);
      });
      return row;
    });
}

function decoderOf(field: unknown): Decoder | null {
  if (is(field, Column)) return field;
  if (is(field, SQL)) return (field as unknown as { decoder: Decoder }).decoder;
  return null;
}
