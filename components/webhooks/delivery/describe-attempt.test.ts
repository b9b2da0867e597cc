import { expect, test } from 'vitest';
import { attemptErrors } from '#lib/contract/deliveries/attempt-errors.ts';
import { deliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import { sampleAttempt } from '#lib/contract/samples.ts';
import { attemptSentence } from './attempt-sentence.ts';
import { attemptPhases, attemptResult } from './describe-attempt.ts';

const timedOut = {
  ...sampleAttempt,
  status_code: null,
  first_byte_ms: null,
  duration_ms: 15_004,
  response: null,
  error: { kind: 'response_timeout', message: 'It did not respond within 15 seconds.' },
};

test('a response is labeled with its status code, and only 2xx is a success', () => {
  expect(attemptResult({ ...sampleAttempt, status_code: 204 })).toEqual({
    label: '204',
    isSuccess: true,
  });
  expect(attemptResult(sampleAttempt)).toEqual({ label: '503', isSuccess: false });
  expect(attemptResult({ ...sampleAttempt, status_code: 301 }).isSuccess).toBe(false);
  expect(attemptSentence(sampleAttempt)).toBe('The receiver responded with 503.');
  const moved = { ...sampleAttempt, status_code: 301, redirects_to: 'https://example.com/new' };
  expect(attemptSentence(moved)).toBe(
    'The receiver responded with 301. Redirects are not followed. It points to https://example.com/new: use this URL?',
  );
});

test('an error is the label even if a status code was received before it', () => {
  const cut = { ...timedOut, status_code: 200, error: { kind: 'read_timeout', message: 'Cut.' } };
  expect(attemptResult(cut)).toEqual({ label: 'Timed out', isSuccess: false });
  expect(attemptSentence(cut)).toBe('Cut.');
  const flooded = { kind: 'too_many_interim_responses', message: '' };
  expect(attemptResult({ ...timedOut, error: flooded }).label).toBe('Too many 1xx');
  expect(attemptResult({ ...timedOut, error: { kind: 'new_kind', message: '' } }).label).toBe(
    'No response',
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

test.each([
  ['is too large', 'response_too_large'],
  ['has a body that cannot be decoded', 'invalid_response'],
])('a response that %s is a success or failure by its status code', (_, kind) => {
  const error = { kind, message: 'What is wrong with it.' };
  expect(attemptResult({ ...sampleAttempt, status_code: 200, error })).toEqual({
    label: '200',
    isSuccess: true,
  });
  expect(attemptResult({ ...sampleAttempt, status_code: 503, error })).toEqual({
    label: '503',
    isSuccess: false,
  });
});

test('the phases of an attempt cover the time from the queue to the last byte', () => {
  expect(attemptPhases(sampleAttempt).map(({ ms }) => ms)).toEqual([14, 208, 4]);
  expect(attemptPhases(timedOut)).toMatchObject([
    { ms: 14 },
    { label: 'No response', ms: 15_004 },
    { part: 'reading', ms: null },
  ]);
});
