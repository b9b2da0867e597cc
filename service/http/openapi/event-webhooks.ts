import { createHmac } from 'node:crypto';
import {
  eventDescriptionOf,
  eventPayloads,
  testEventPayload,
  testEventType,
} from '#lib/contract/events/events.ts';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import { sampleSecret } from '#lib/contract/samples.ts';
import { describeRetries } from '../../domain/deliveries/retry-schedule.ts';
import type { JsonObject, Schemas } from './schemas.ts';

/** The requests that a receiver gets, by event type: the `webhooks` of the document. */
export function eventWebhooks(schemas: Schemas): JsonObject {
  return Object.fromEntries(
    [...eventPayloads, [testEventType, testEventPayload] as const].map(([type, payload]) => {
      const schema = schemas.write(payload, 'output');
      const example = schemas.exampleOf(schema) as { timestamp: string };
      return [
        type,
        {
          post: {
            operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: eventDescriptionOf(type),
            description: type === testEventType ? sentAsTest : `${sentToSubscribers} ${howSent}`,
            tags: ['Webhooks'],
            security: [],
            parameters: standardWebhooksHeaders(example, { isTest: type === testEventType }),
            requestBody: {
              description: 'The event, as JSON. Verify the signature over these bytes as they are.',
              required: true,
              content: { 'application/json': { schema, example } },
            },
            responses: {
              '2XX': { description: 'The receiver has the event: it is delivered.' },
              '410': {
                description:
                  'The receiver does not want any more events: its webhook is deactivated.',
              },
              '4XX': {
                description:
                  'The attempt failed. It is sent again later; after a 429 not before the time that `Retry-After` gives, up to 24 hours.',
              },
              '5XX': {
                description:
                  'The attempt failed. It is sent again later; after a 503 not before the time that `Retry-After` gives, up to 24 hours.',
              },
            },
          },
        },
      ];
    }),
  );
}

const sentToSubscribers =
  'A POST to the URL of every active webhook that subscribes to the type, signed as [Standard Webhooks](https://www.standardwebhooks.com) describes.';

const howSent = `The connection must be open within 5 seconds, and the response complete within 15 seconds. Any 2xx status means that the receiver has the event; redirects are not followed. After any other response, or none, the service retries with the same body, ${describeRetries()}. Deliveries can arrive more than once and out of order: recognize a repeat by its \`webhook-id\`. A webhook that has failed for 5 days, in at least ten attempts in a row, is deactivated.`;

const sentAsTest =
  'Sent once, without retries, when a member or a key tests a webhook. A test can send any other event type as well: its body then also has `"test": true`.';

/** Standard Webhooks, "Webhook headers". The example signatures match the example bodies. */
function standardWebhooksHeaders(
  body: { timestamp: string },
  { isTest }: { isTest: boolean },
): JsonObject[] {
  const id = messageIdOf('1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b', { isTest });
  const seconds = Math.floor(Date.parse(body.timestamp) / 1000);
  const key = Buffer.from(sampleSecret.slice('whsec_'.length), 'base64');
  const signed = `${id}.${seconds}.${JSON.stringify(body)}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return [
    header('webhook-id', {
      description:
        '`msg_` and the UUID of the event: the same for every webhook, attempt and replay. Use it to recognize an event that you already have. In a test, it begins with `msg_test_`.',
      schema: { type: 'string', pattern: '^msg_(test_)?[0-9a-f-]{36}$' },
      example: id,
    }),
    header('webhook-timestamp', {
      description:
        'When the attempt was made, in seconds since 1970-01-01 UTC. Reject a delivery whose time differs from yours by more than a few minutes.',
      schema: { type: 'integer' },
      example: seconds,
    }),
    {
      ...header('webhook-replay', {
        description: 'UUID of the replay, if the delivery is part of one; otherwise absent.',
        schema: { type: 'string', format: 'uuid' },
      }),
      required: false,
    },
    header('webhook-signature', {
      description: `\`v1,\` and the base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`, with the part of the signing secret after \`whsec_\`, base64-decoded, as the key. There is one signature for each secret that signs, separated by spaces; accept the delivery if any of them matches. The example is signed with \`${sampleSecret}\`.`,
      schema: { type: 'string' },
      example: `v1,${signature}`,
    }),
  ];
}

function header(name: string, options: JsonObject): JsonObject {
  return { name, in: 'header', required: true, ...options };
}
