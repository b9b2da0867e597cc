import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { loadConfig } from '#service/config/load-config.ts';
import { settings } from '#service/config/settings.ts';
import { clientTypes } from './client-types.ts';
import { insertTable, settingsExample, tables } from './tables.ts';

test.each(tables)('the table of $name in $file is the one that the code gives', (table) => {
  const path = fileURLToPath(new URL(`../../${table.file}`, import.meta.url));
  const document = readFileSync(path, 'utf8');
  expect(document, '`npm run docs` writes it').toBe(insertTable(document, table));
});

test('the packaged client has the types of the OpenAPI document that the code gives', async () => {
  const path = fileURLToPath(new URL(`../../${clientTypes.file}`, import.meta.url));
  const isCurrent = readFileSync(path, 'utf8') === (await clientTypes.text());
  expect(isCurrent, '`npm run docs` writes it').toBe(true);
});

test('.env.example is the one that the code gives, and has every setting with a default that the service accepts', () => {
  const path = fileURLToPath(new URL(`../../${settingsExample.file}`, import.meta.url));
  const text = readFileSync(path, 'utf8');
  expect(text, '`npm run docs` writes it').toBe(settingsExample.text());
  expect(parseEnv(text), 'nothing is set until someone sets it').toEqual({});
  const variables = parseEnv(text.replaceAll(/^#(?=[A-Z])/gm, ''));
  expect(new Set(Object.keys(variables))).toEqual(new Set(settings.keyof().options));
  expect(loadConfig(variables)).toEqual(loadConfig({}));
});

test('a table replaces the old one and nothing else', () => {
  const table = { name: 'colors', file: 'colors.md', lines: () => ['| red |'] };
  const document = 'Colors\n\n<!-- colors -->\n| blue |\n<!-- /colors -->\n\nMore.\n';
  expect(insertTable(document, table)).toBe(
    'Colors\n\n<!-- colors -->\n\n| red |\n\n<!-- /colors -->\n\nMore.\n',
  );
  expect(() => insertTable('Colors', table)).toThrow('colors.md has no <!-- colors -->');
});
