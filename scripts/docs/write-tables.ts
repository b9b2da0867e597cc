// `npm run docs`: writes the tables in the documents, the example of settings, and the types of the
// packaged client, from the code.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientTypes } from './client-types.ts';
import { insertTable, settingsExample, tables } from './tables.ts';

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

writeFileSync(pathOf(settingsExample.file), settingsExample.text());
writeFileSync(pathOf(clientTypes.file), await clientTypes.text());
for (const table of tables) {
  const path = pathOf(table.file);
  writeFileSync(path, insertTable(readFileSync(path, 'utf8'), table));
}
