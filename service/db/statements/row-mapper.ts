import { Column, SQL, is } from 'drizzle-orm';

/** A selected value: its place in the row, and its column or expression. */
export type SelectedField = { path: string[]; field: unknown };

type Decoder = { mapFromDriverValue(value: unknown): unknown };

/**
 * Creates rows from the values that the driver returns, as the query builder does. The query
 * builder looks up the decoder for each value of each row, which takes longer than decoding it.
 *
 * @returns undefined for rows that contain objects, and for fields that are neither columns nor SQL
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
