import {
  sampleApiKey,
  sampleApiKeyToken,
  sampleConversation,
  sampleDelivery,
  sampleEvent,
  sampleReplay,
  sampleWebhook,
} from '#lib/contract/samples.ts';
import type { JsonObject } from './schemas.ts';

/** Parameters that several operations take, as components of the document. */
export const parameterComponents: Record<string, JsonObject> = {
  webhook: reference('webhook', { noun: 'webhook', sample: sampleWebhook }),
  apiKey: reference('apiKey', { noun: 'key', sample: sampleApiKey }),
  conversation: reference('conversation', { noun: 'conversation', sample: sampleConversation }),
  delivery: reference('delivery', { noun: 'delivery', sample: sampleDelivery }),
  event: reference('event', { noun: 'event', sample: sampleEvent }),
  replay: {
    name: 'replay',
    in: 'path',
    required: true,
    description: 'UUID of the replay. Anything else gets a 404.',
    schema: { type: 'string', format: 'uuid' },
    example: sampleReplay.uuid,
  },
  token: {
    name: 'token',
    in: 'path',
    required: true,
    description:
      'Integer id of the token, as `tokens` of the key lists it. Anything else gets a 404.',
    schema: { type: 'integer', minimum: 1 },
    example: sampleApiKeyToken.id,
  },
  secret: {
    name: 'secret',
    in: 'path',
    required: true,
    description:
      'UUID of the signing secret, as `secret.older` of the webhook lists it. Anything else gets a 404.',
    schema: { type: 'string', format: 'uuid' },
    example: sampleWebhook.secret.older[0]?.uuid,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value of your own that identifies the request for 24 hours, such as a UUID. The same request sent again with it gets the same response, and nothing happens twice; with another body it is refused with a 422. 1 to 255 visible ASCII characters without spaces.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: 'd3a4c1f2-7d50-4a3e-9a55-1c2f7b8e6d04',
  },
  IdempotencyKeyOfSecret: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value of your own that identifies the request for 24 hours, so that you can ask again for a lost response. Use one that nobody can guess, such as a UUID. If the same caller sends the same request again within 10 minutes, nothing happens twice: the token that was never used, or the secret that signed nothing yet, is replaced by a new one, which you get in the same kind of response; older ones keep their deadlines. Any other request with the same value is refused with a 422 that explains what to do. A token in its grace period may repeat the rotation that replaced it. 1 to 255 visible ASCII characters without spaces.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '6f1c1e0c-6b52-4f0e-9d39-0c4f6f3f7a55',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the response that you have. If it is still the same, the response is 304, without a body.',
    schema: { type: 'string' },
    example: 'W/"Qb3i7qzGzT1y3bL6yq0nJ8c0m4Zr2pXk5vT9sWd1eF0"',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'A value of your own by which to find the request in logs and in the audit log: 1 to 64 letters, digits, `_` or `-`. Anything else is ignored, and the service makes one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'trace-42',
  },
};

function reference(
  name: string,
  { noun, sample }: { noun: string; sample: { id: number; uuid: string } },
): JsonObject {
  return {
    name,
    in: 'path',
    required: true,
    description: `Integer id or UUID of the ${noun}. Anything else gets a 404.`,
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', format: 'uuid' },
      ],
    },
    examples: { id: { value: sample.id }, uuid: { value: sample.uuid } },
  };
}
