import { types } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { concatBytes } from './concat-bytes.ts';
import type { Send } from './connection.ts';
import { readResults } from './read-results.ts';

export type Serializer = (value: unknown) => string;
export type Parser = (text: string, typeId?: number) => unknown;

/** How values are converted to PostgreSQL's text and back, by the id of their type. */
export type ValueTypes = {
  serializers: Record<number, Serializer>;
  parsers: Record<number, Parser>;
};

const arrayTypesQuery = 'select oid, typarray from pg_type where typarray <> 0 order by oid';

/** The types that PGlite knows, and arrays of them, whose ids are read from the database. */
export async function loadValueTypes(send: Send): Promise<ValueTypes> {
  const serializers: ValueTypes['serializers'] = { ...types.serializers };
  const parsers: ValueTypes['parsers'] = { ...types.parsers };
  const result = await send(concatBytes([serialize.query(arrayTypesQuery)]));
  for (const row of readResults(result, () => undefined).rows) {
    const [id, arrayId] = row.map(Number);
    if (id === undefined || arrayId === undefined) continue;
    serializers[arrayId] = (values) => types.arraySerializer(values, serializers[id], arrayId);
    parsers[arrayId] = (text) => types.arrayParser(text, parsers[id] ?? String, arrayId) as unknown;
  }
  return { serializers, parsers };
}
