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
  webhook: reference('webhook', sampleWebhook),
  apiKey: reference('apiKey', sampleApiKey),
  conversation: reference('conversation', sampleConversation),
  delivery: reference('delivery', sampleDelivery),
  event: reference('event', sampleEvent),
  replay: {
    name: 'replay',
    in: 'path',
    required: true,
    description: 'Its UUID. Anything else is answered as what does not exist.',
    schema: { type: 'string', format: 'uuid' },
    example: sampleReplay.uuid,
  },
  token: {
    name: 'token',
    in: 'path',
    required: true,
    description: 'Its integer id. Anything else is answered as what does not exist.',
    schema: { type: 'integer', minimum: 1 },
    example: sampleApiKeyToken.id,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Names the request for 24 hours. Repeated with the same body it gets the same answer and nothing happens twice; with another body it is refused. Visible ASCII characters without spaces.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: 'order-1042',
  },
  IdempotencyKeyOfSecret: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Names the request for 24 hours, so that a lost answer can be asked for again; use one that nobody can guess, as a UUID. The same request, sent again by the same caller within 10 minutes, does nothing twice: if the token was never used, or nothing was signed with the secret, it is replaced by a fresh one, which is answered as at first, and the deadlines of older ones stay. Anything else under a known name is refused with what to do instead. Of the rotation by which it was itself replaced, a token in its grace period may send the request again. Visible ASCII characters without spaces.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '6f1c1e0c-6b52-4f0e-9d39-0c4f6f3f7a55',
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Your name for the request. Anything but a plain word is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: 'trace-42',
  },
};

function reference(name: string, sample: { id: number; uuid: string }): JsonObject {
  return {
    name,
    in: 'path',
    required: true,
    description: 'Its integer id or its UUID. Anything else is answered as what does not exist.',
    schema: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', format: 'uuid' },
      ],
    },
    examples: { id: { value: sample.id }, uuid: { value: sample.uuid } },
  };
}
