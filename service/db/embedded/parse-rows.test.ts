import { protocol } from '@electric-sql/pglite';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { parseRowsQuickly } from './parse-rows.ts';

parseRowsQuickly();

const text = `select number, 'ü🙂' || number, null, '', repeat('x', 300)
  from generate_series(1, 40) number`;
const rows = Array.from({ length: 40 }, (_, place) => [
  `${place + 1}`,
  `ü🙂${place + 1}`,
  null,
  '',
  'x'.repeat(300),
]);

let pglite: PGlite;
let bytes: Uint8Array;
beforeAll(async () => {
  pglite = await createMemoryPglite();
  bytes = await pglite.execProtocolRaw(protocol.serialize.query(text));
});
afterAll(() => pglite.close());

test.each([1, 4, 5, 6, 7, 100, 8192, 1_000_000])(
  'rows are whole when they arrive in pieces of %i bytes',
  (size) => {
    expect(bytes.length).toBeGreaterThan(8192);

    const found: { name: string; fields?: unknown }[] = [];
    const parser = new protocol.Parser();
    for (let start = 0; start < bytes.length; start += size) {
      // As the database does: the next piece overwrites this one.
      const piece = bytes.slice(start, start + size);
      parser.parse(piece, (message) => found.push(message));
      piece.fill(0);
    }
    expect(found.map(({ name }) => name)).toEqual([
      'rowDescription',
      ...rows.map(() => 'dataRow'),
      'commandComplete',
      'readyForQuery',
    ]);
    const parsed = found.filter(({ name }) => name === 'dataRow').map(({ fields }) => fields);
    expect(parsed).toEqual(rows);
  },
);

test('an error after rows is one, and the next statement works', async () => {
  const failing = 'select 1 / (3 - number) from generate_series(1, 5) number';
  await expect(pglite.query(failing)).rejects.toThrow('division by zero');
  expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
