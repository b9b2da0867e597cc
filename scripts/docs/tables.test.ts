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
  const table = { name: 'colors', file: 'colors.md', lines: () => ['| red |'] };
  const document = 'Colors\n\n<!-- colors -->\n| blue |\n<!-- /colors -->\n\nMore.\n';
  expect(insertTable(document, table)).toBe(
    'Colors\n\n<!-- colors -->\n\n| red |\n\n<!-- /colors -->\n\nMore.\n',
  );
  expect(() => insertTable('Colors', table)).toThrow('colors.md has no <!-- colors -->');
});
