// `npm run docs`: writes the tables in the documents that are generated from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { insertTable, tables } from './tables.ts';

for (const table of tables) {
  const path = fileURLToPath(new URL(`../../${table.file}`, import.meta.url));
  writeFileSync(path, insertTable(readFileSync(path, 'utf8'), table));
}
