// `npm run docs`: writes the tables in the documents, and the example of settings, from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { insertTable, settingsExample, tables } from './tables.ts';

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

writeFileSync(pathOf(settingsExample.file), settingsExample.text());
for (const table of tables) {
  const path = pathOf(table.file);
  writeFileSync(path, insertTable(readFileSync(path, 'utf8'), table));
}
