import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
import type { VerifyOptions } from './verify-webhook.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const now = new Date('2026-11-20T10:29:48.000Z');
const text = JSON.stringify({ type: 'message.created', data: { text: 'Größe? ✓' } });
const event: unknown = JSON.parse(text);
const headers = signedBy(secret);

/** The headers of a delivery, signed by the reference library. */
function signedBy(key: string, time = now): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(time.getTime() / 1000),
    'webhook-signature': new Webhook(key).sign('msg_1', time, text),
  };
}

function verify(
  given: Parameters<typeof verifyWebhook>[0],
  options: VerifyOptions & {
    body?: Parameters<typeof verifyWebhook>[1];
    secrets?: Parameters<typeof verifyWebhook>[2];
  } = {},
): unknown {
  return verifyWebhook(given, options.body ?? text, options.secrets ?? secret, { now, ...options });
}

/** Why it is refused; null if it is not. */
function refusal(...input: Parameters<typeof verify>): string | null {
  try {
    verify(...input);
    return null;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return error.reason;
  }
}

describe('a genuine delivery is accepted', () => {
  test.each([
    ['an object', headers],
    ['a Headers', new Headers(headers)],
    [
      'names in any case',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [upper(name), value])),
    ],
    [
      'arrays of values',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
  ])('with %s as headers', (_, given) => {
    expect(verify(given)).toEqual(event);
  });

  test('with a body of text or bytes', () => {
    const bytes = new TextEncoder().encode(text);
    for (const body of [text, Buffer.from(text), bytes, bytes.buffer]) {
      expect(verify(headers, { body })).toEqual(event);
    }
  });

  test('if one of the secrets matches one of the signatures, however these are joined', () => {
    const signatures = [other, secret].map((key) => signedBy(key)['webhook-signature'] ?? '');
    expect(verify(headers, { secrets: [other, secret] })).toEqual(event);
    expect(verify({ ...headers, 'webhook-signature': signatures.join(' ') })).toEqual(event);
    expect(verify({ ...headers, 'webhook-signature': ['v2,abc', ...signatures] })).toEqual(event);
    const several = new Headers(headers);
    several.delete('webhook-signature');
    for (const signature of signatures) several.append('webhook-signature', signature);
    expect(verify(several)).toEqual(event);
  });

  test('if its time differs by at most the tolerance', () => {
    for (const seconds of [-300, 300]) {
      expect(refusal(headers, { now: later(seconds) })).toBeNull();
      expect(refusal(headers, { now: later(seconds * 2), toleranceSeconds: 600 })).toBeNull();
    }
  });
});

describe('what may not come from the service is refused', () => {
  test('with another secret, body or ID, or another version of signatures', () => {
    expect(refusal(headers, { secrets: other })).toBe('signature');
    expect(refusal(headers, { body: text.replace('?', '!') })).toBe('signature');
    expect(refusal({ ...headers, 'webhook-id': 'msg_2' })).toBe('signature');
    const signature = headers['webhook-signature'] ?? '';
    for (const wrong of [signature.replace('v1', 'v2'), `x${signature}`, signature.slice(0, -4)]) {
      expect(refusal({ ...headers, 'webhook-signature': wrong })).toBe('signature');
    }
  });

  test('without one of the headers', () => {
    for (const name of Object.keys(headers)) {
      expect(refusal({ ...headers, [name]: undefined })).toBe('headers');
    }
  });

  test('with a time that differs by more than the tolerance, or is none', () => {
    for (const seconds of [-301, 301]) {
      expect(refusal(headers, { now: later(seconds) })).toBe('timestamp');
    }
    expect(refusal(headers, { toleranceSeconds: Number.NaN })).toBe('timestamp');
    expect(refusal({ ...headers, 'webhook-timestamp': '1e9' })).toBe('timestamp');
  });
});

test.each([
  ['an empty secret', ''],
  ['an undefined secret', [undefined]],
  ['no secret', []],
  ['a secret of spaces', ' '],
  ['a prefix without a secret', 'whsec_'],
  ['a secret of which nothing is left after decoding', 'whsec_A'],
  ['an empty secret beside a valid one', [secret, '']],
])('%s is a mistake of the program', (_, secrets) => {
  expect(() => verify(headers, { secrets })).toThrow(TypeError);
});

test('a message about a malformed secret does not repeat it', () => {
  expect(() => verify(headers, { secrets: 'whsec_not+base64!' })).toThrow(/^(?!.*not\+base64)/);
});

test('a body that was parsed already is a mistake of the program', () => {
  const body = event as string;
  expect(() => verify(headers, { body })).toThrow('parsed already');
});

function upper(name: string): string {
  return name.toUpperCase();
}

function later(seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}
