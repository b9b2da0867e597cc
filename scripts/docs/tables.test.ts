import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { insertTable, tables } from './tables.ts';

test.each(tables)('the table of $name in $file is the one that the code gives', (table) => {
  const path = fileURLToPath(new URL(`../../${table.file}`, import.meta.url));
  const document = readFileSync(path, 'utf8');
  expect(document, '`npm run docs` writes it').toBe(insertTable(document, table));
});

test('a table replaces the old one and nothing else', () => {
  const table = { name: 'colours', file: 'colours.md', lines: () => ['| red |'] };
  const document = 'Colours\n\n<!-- colours -->\n| blue |\n<!-- /colours -->\n\nMore.\n';
  expect(insertTable(document, table)).toBe(
    'Colours\n\n<!-- colours -->\n\n| red |\n\n<!-- /colours -->\n\nMore.\n',
  );
  expect(() => insertTable('Colours', table)).toThrow('colours.md has no <!-- colours -->');
});
