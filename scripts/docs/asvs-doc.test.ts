import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const document = readFileSync(`${root}docs/security/asvs.md`, 'utf8');

/**
 * The levels of the requirements of OWASP ASVS 5.0, section by section: the first digit of '1.3' is
 * the level of 1.3.1, the second that of 1.3.2, and so on.
 */
const levels: Record<string, string> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
};

const numbers = Object.entries(levels).flatMap(([section, ofSection]) =>
  [...ofSection].flatMap((level, index) => (level === '3' ? [] : [`${section}.${index + 1}`])),
);

/** The rows of the chapters: number, title, status, evidence. */
const rows = [...document.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].map(
  ([, number = '', title = '', status = '', evidence = '']) => ({
    number,
    title,
    status,
    evidence,
  }),
);

const tests = [...document.matchAll(/`([^`]+)` › "([^"]+)"/g)];

const codes = [...document.matchAll(/`([^`\s]+)` \(`([^`]+)`\)/g)].map(
  ([, file = '', name = '']) => ({ file, name }),
);

describe('docs/security/asvs.md', () => {
  test('lists each requirement of levels 1 and 2 once, in the order of the standard', () => {
    expect(numbers).toHaveLength(253);
    expect(rows.map(({ number }) => number)).toEqual(numbers);
  });

  test('counts its rows by status, and lists the open ones', () => {
    for (const status of ['**met**', 'not applicable', '**open**']) {
      const count = rows.filter((row) => row.status === status).length;
      expect(document, status).toContain(`| ${status} | ${count} | `);
    }
    expect(new Set(rows.map(({ status }) => status)).size).toBe(3);
    const open = rows.filter(({ status }) => status === '**open**');
    const listed = open.map(({ number, title }) => `| ${number} | ${title} |\n`).join('');
    expect(document).toContain(`|---|---|\n${listed}\n`);
  });

  test('names a test or code for each row that is met, or says that there is none', () => {
    const named = /` › "|` \(`|\bno test\b|\]\([a-z-]+\.md|tests of \d/;
    const bare = rows.filter(
      ({ status, evidence }) => status === '**met**' && !named.test(evidence),
    );
    expect(bare).toEqual([]);
    for (const row of rows) expect(row.title.split(' ').length, row.number).toBeLessThanOrEqual(10);
  });

  test('names all tests in the same form', () => {
    const arrows = document.match(/`[^`]+\.(?:test|spec)\.ts`/g) ?? [];
    expect(tests).toHaveLength(arrows.length);
  });

  test.each(codes)('$file holds $name', ({ file, name }) => {
    expect(existsSync(root + file), file).toBe(true);
    expect(readFileSync(root + file, 'utf8')).toContain(name);
  });
});
