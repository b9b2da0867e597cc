import { describe, expect, test } from 'vitest';
import { ContinueResponses } from './continue-responses.ts';

const continued = 'HTTP/1.1 100 Continue\r\n\r\n';
const renamed = 'HTTP/1.1 103 Continue\r\n\r\n';
const final = 'HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n';

/** What is left of the text if it arrives in two pieces, split at every place in turn. */
function* renamedInPieces(text: string): Iterable<string> {
  for (let split = 0; split <= text.length; split += 1) {
    const responses = new ContinueResponses();
    const pieces = [text.slice(0, split), text.slice(split)].map((piece) => Buffer.from(piece));
    for (const piece of pieces) responses.rename(piece);
    yield Buffer.concat(pieces).toString();
  }
}

describe('wherever what arrives is split, 100 Continue is renamed', () => {
  test.each([
    ['before a response', continued + final, renamed + final],
    ['several times', continued + continued + final, renamed + renamed + final],
    [
      'with headers',
      `HTTP/1.0 100\r\na: b\r\n\r\n${final}`,
      `HTTP/1.0 103\r\na: b\r\n\r\n${final}`,
    ],
    ['after blank lines', `\r\n\r\n${continued}${final}`, `\r\n\r\n${renamed}${final}`],
    [
      'after another interim response',
      `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n${continued}${final}`,
      `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n${renamed}${final}`,
    ],
    ['but not in a body', final + continued, final + continued],
    ['but not a switch of protocols', 'HTTP/1.1 101 a\r\n\r\n', 'HTTP/1.1 101 a\r\n\r\n'],
    ['but not what is no HTTP', `SSH-2.0\r\n\r\n${continued}`, `SSH-2.0\r\n\r\n${continued}`],
  ])('%s', (_what, text, expected) => {
    expect(new Set(renamedInPieces(text))).toEqual(new Set([expected]));
  });
});

test('the responses to the next request are read from their beginning', () => {
  const responses = new ContinueResponses();
  responses.rename(Buffer.from(final));
  responses.begin();
  const next = Buffer.from(continued);
  responses.rename(next);
  expect(next.toString()).toBe(renamed);
});
