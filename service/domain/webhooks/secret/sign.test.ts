import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { importSecret, newSecret } from './secret.ts';
import { signMessage } from './sign.ts';

test('the published example of Standard Webhooks has its published signature', () => {
  const example = {
    messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signMessage(example, [importSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

describe('the reference library verifies', () => {
  const body = '{"type":"message.created","data":{"text":"Grüße, 世界 🌍"}}';
  const timestamp = Math.floor(Date.now() / 1000);
  const messageId = 'msg_01';
  const [current, previous, foreign] = [newSecret(), newSecret(), newSecret()];

  function verify(secret: string, signature: string, content = body): unknown {
    return new Webhook(secret).verify(content, {
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    });
  }

  test('the signatures of the new secret and of the replaced one, and rejects everything else', () => {
    const signature = signMessage(
      { messageId, timestamp, body },
      [current, previous].map(importSecret),
    );
    expect(signature.split(' ')).toHaveLength(2);
    expect(verify(current, signature)).toEqual(JSON.parse(body));
    expect(verify(previous, signature)).toEqual(JSON.parse(body));
    expect(() => verify(foreign, signature)).toThrow(/signature/i);
    expect(() => verify(current, signature, `${body} `)).toThrow(/signature/i);
  });
});

test.each(['', 'whsec_', 'c2VjcmV0', 'sk_live_x'])('%j is no secret to sign with', (secret) => {
  expect(() => importSecret(secret)).toThrow(
    'A signing secret is not `whsec_` followed by base64.',
  );
});
