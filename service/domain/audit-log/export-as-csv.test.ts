import { describe, expect, test } from 'vitest';
import { csvLine } from './export-audit-log.ts';

test('cells are separated by commas and quoted where they need it', () => {
  expect(csvLine(['a', null, 'b c'])).toBe('a,,b c\r\n');
  expect(csvLine(['x,y', 'say "hi"', 'two\nlines', 'two\rlines'])).toBe(
    '"x,y","say ""hi""","two\nlines","two\rlines"\r\n',
  );
});

describe('a spreadsheet does not read a cell as a formula if it begins with', () => {
  test.each([
    ['=', "'=1+1"],
    ['+', "'+1+1"],
    ['-', "'-1+1"],
    ['@', "'@1+1"],
    // Some versions of Excel read these as the four above.
    ['＝', "'＝1+1"],
    ['＋', "'＋1+1"],
    ['－', "'－1+1"],
    ['＠', "'＠1+1"],
    ['\t', "'\t1+1"],
    ['\r', `"'\r1+1"`],
  ])('%j', (first, cell) => {
    expect(csvLine([`${first}1+1`])).toBe(`${cell}\r\n`);
  });

  test('one of these behind a quotation mark', () => {
    expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });
});

test.each([
  'name;=1+1;more',
  'name;"=1+1',
  'name\t@1',
  '\t=1+1',
  '{"name":"x;=1+1;y"}',
  'name;＝1+1',
])(
  'no cell of %j is a formula for a spreadsheet that separates cells by semicolons or tabs',
  (cell) => {
    for (const separator of [';', '\t']) {
      // A quotation mark that opens a cell is not part of it, and neither is an empty pair.
      const cells = csvLine(['1', cell])
        .split(separator)
        .map((text) => text.replace(/^"+/, ''));
      expect(cells.filter((text) => /^[=+\-@＝＋－＠]/.test(text))).toEqual([]);
    }
  },
);

test.each(['a;b', 'a; =b', 'Mozilla/5.0 (X11; Linux)', 'a=1;b=2'])(
  'the cell %j stays as it is',
  (cell) => {
    expect(csvLine([cell])).toBe(`${cell}\r\n`);
  },
);
