import { expect, test } from 'vitest';
import { toResponseRows } from './to-response-rows.ts';

const previous = {
  since: '2026-11-19T12:30:00.000+00:00',
  until: '2026-11-20T12:28:00.000+00:00',
  delivered: 90,
  failed: 3,
  success_rate: 0.9677,
  response_p50_ms: 173,
  response_p95_ms: 940,
};

function response(code: number | null, error: string | null, attempts: number, before: number) {
  return { status_code: code, error, attempts, attempts_before: before };
}

test('a row has the words of the list of attempts, and errors with the same words are one row', () => {
  const statistics = {
    delivered: 80,
    failed: 12,
    previous,
    responses: [
      response(200, null, 80, 90),
      response(503, null, 5, 0),
      response(null, 'response_timeout', 4, 2),
      response(null, 'read_timeout', 2, 1),
      response(null, 'a_newer_kind', 1, 0),
    ],
  };
  expect(toResponseRows(statistics)).toEqual([
    { label: '200', isSuccess: true, attempts: 80, before: 90 },
    { label: 'Timed out', isSuccess: false, attempts: 6, before: 3 },
    { label: '503', isSuccess: false, attempts: 5, before: 0 },
    { label: 'No response', isSuccess: false, attempts: 1, before: 0 },
  ]);
});

test('responses that the service does not name are counted in the last row', () => {
  const responses = [{ ...response(200, null, 70, 0), attempts_before: null }];
  expect(toResponseRows({ delivered: 71, failed: 2, previous: null, responses })).toEqual([
    { label: '200', isSuccess: true, attempts: 70, before: null },
    { label: 'Others', isSuccess: null, attempts: 3, before: null },
  ]);
});
