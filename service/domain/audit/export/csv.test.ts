import { describe, expect, test } from 'vitest';
import { csvLine } from './csv.ts';

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
    ['\t', "'\t1+1"],
    ['\r', `"'\r1+1"`],
  ])('%j', (first, cell) => {
    expect(csvLine([`${first}1+1`])).toBe(`${cell}\r\n`);
  });

  test('one of these behind a quotation mark', () => {
    expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`);
  });
});
