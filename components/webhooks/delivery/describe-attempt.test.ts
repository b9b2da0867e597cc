import { expect, test } from 'vitest';

import { attemptErrors } from '#lib/contract/deliveries/attempt-errors.ts';
import { deliveryWithAttempts } from '#lib/contract/deliveries/deliveries.ts';
import { sampleAttempt } from '#lib/contract/samples.ts';

import { attemptSentence } from './attempt-sentence.ts';
import { attemptPhases, attemptResult, formatBytes } from './describe-attempt.ts';

const timedOut = {
  ...sampleAttempt,
  status_code: null,
  first_byte_ms: null,
  duration_ms: 15_004,
  response: null,
  error: { kind: 'response_timeout', message: 'It did not answer within 15 seconds.' },
};

test('an answer is named by its status, and only 2xx is well', () => {
  expect(attemptResult({ ...sampleAttempt, status_code: 204 })).toEqual({
    label: '204',
    isSuccess: true,
  });
  expect(attemptResult(sampleAttempt)).toEqual({ label: '503', isSuccess: false });
  expect(attemptResult({ ...sampleAttempt, status_code: 301 }).isSuccess).toBe(false);
  expect(attemptSentence(sampleAttempt)).toBe('Your server answered 503.');
});

test('what went wrong is named, though a status had come already', () => {
  const cut = { ...timedOut, status_code: 200, error: { kind: 'read_timeout', message: 'Cut.' } };
  expect(attemptResult(cut)).toEqual({ label: 'Timed out', isSuccess: false });
  expect(attemptSentence(cut)).toBe('Cut.');
  const flooded = { kind: 'too_many_interim_responses', message: '' };
  expect(attemptResult({ ...timedOut, error: flooded }).label).toBe('Too many 1xx');
  expect(attemptResult({ ...timedOut, error: { kind: 'new_kind', message: '' } }).label).toBe(
    'No answer',
  );
});

test('each kind of error has a label here and a description in the API’s documentation', () => {
  const { description } =
    deliveryWithAttempts.shape.attempts.element.shape.error.unwrap().shape.kind;
  for (const [kind, { label, meaning }] of Object.entries(attemptErrors)) {
    const error = { kind, message: '' };
    expect(attemptResult({ ...timedOut, error }).label).toBe(label);
    expect(description).toContain(`- \`${kind}\`: ${meaning}`);
  }
});

test('an answer that was cut for its size is judged by its status', () => {
  const error = { kind: 'response_too_large', message: 'The response is larger than 64 KiB.' };
  expect(attemptResult({ ...sampleAttempt, status_code: 200, error })).toEqual({
    label: '200',
    isSuccess: true,
  });
});

test('an attempt’s time is told from the queue to the last byte', () => {
  expect(attemptPhases(sampleAttempt).map(({ ms }) => ms)).toEqual([14, 208, 4]);
  expect(attemptPhases(timedOut)).toMatchObject([
    { ms: 14 },
    { label: 'No first byte', ms: 15_004 },
    { part: 'reading', ms: null },
  ]);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [4096, '4,096 bytes'],
  [65_536, '64.0 KiB'],
])('%i bytes are written %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
