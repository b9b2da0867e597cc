import { describe, expect, test } from 'vitest';
import type { ActionFailure, ActionResult } from '#lib/actions/action-result.ts';
import { type ErrorCode, errorTable } from '#lib/contract/error-codes.ts';
import {
  type UnansweredRequests,
  type IdempotentRequest,
  sendIdempotently,
} from './send-idempotently.ts';

type Input = { expires_at: string };

/** A form with scripted responses, and the requests it sent. */
function form(results: readonly ('ok' | ErrorCode)[]) {
  const lost: UnansweredRequests<Input> = new Map();
  const sent: IdempotentRequest<Input>[] = [];
  const left = results.values();
  const press = async (values: unknown, expiresAt = 'in a month') =>
    await sendIdempotently(lost, {
      values,
      makeInput: () => ({ expires_at: expiresAt }),
      send: async (request): Promise<ActionResult> => {
        sent.push(request);
        const result = left.next().value ?? 'ok';
        return result === 'ok' ? { ok: true } : failure(result);
      },
    });
  return { sent, press };
}

function failure(code: ErrorCode): ActionFailure {
  return { ok: false, code, message: code };
}

test('each request has its own UUID as idempotency key', async () => {
  const { sent, press } = form(['ok', 'ok']);
  expect(await press({ name: 'One' })).toEqual({ ok: true });
  await press({ name: 'One' });
  const [first, second] = sent;
  expect(first?.idempotencyKey).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
});

describe('after a lost response', () => {
  test.each(['UNAVAILABLE', 'INTERNAL_ERROR'] as const)(
    'to %s, the same values send the same request again, even if they would give another body by then',
    async (code) => {
      const { sent, press } = form([code, code, 'ok', 'ok']);
      await press({ name: 'One' }, 'at 10:00');
      await press({ name: 'One' }, 'at 10:01');
      await press({ name: 'One' }, 'at 10:02');
      expect(sent[1]).toEqual(sent[0]);
      expect(sent[2]).toEqual(sent[0]);
      expect(sent[0]?.input).toEqual({ expires_at: 'at 10:00' });
      // Once it has a response, the request is forgotten.
      await press({ name: 'One' }, 'at 10:03');
      expect(sent[3]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
      expect(sent[3]?.input).toEqual({ expires_at: 'at 10:03' });
    },
  );

  test('other values send a new request, and the first values send the first request again', async () => {
    const { sent, press } = form(['UNAVAILABLE', 'UNAVAILABLE', 'ok']);
    await press({ name: 'One' });
    await press({ name: 'Two' });
    await press({ name: 'One' });
    expect(sent[1]?.idempotencyKey).not.toBe(sent[0]?.idempotencyKey);
    expect(sent[2]).toEqual(sent[0]);
  });

  test('only a success or a validation error forgets the first request', async () => {
    const codes = (Object.keys(errorTable) as ErrorCode[]).filter(
      (code) => !['UNAVAILABLE', 'INTERNAL_ERROR', 'VALIDATION_ERROR'].includes(code),
    );
    for (const code of codes) {
      const { sent, press } = form(['UNAVAILABLE', code, 'VALIDATION_ERROR', 'ok']);
      for (let presses = 0; presses < 4; presses += 1) await press({ name: 'One' });
      const keys = sent.map(({ idempotencyKey }) => idempotencyKey);
      expect(keys.slice(0, 3), code).toEqual([keys[0], keys[0], keys[0]]);
      expect(keys[3], code).not.toBe(keys[0]);
    }
  });
});

test('after a refusal a new request is made', async () => {
  const { sent, press } = form(['RATE_LIMIT_EXCEEDED', 'VALIDATION_ERROR', 'ok']);
  await press({ name: 'One' }, 'first');
  await press({ name: 'One' }, 'second');
  await press({ name: 'One' }, 'third');
  expect(sent.map(({ input }) => input.expires_at)).toEqual(['first', 'second', 'third']);
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
});
