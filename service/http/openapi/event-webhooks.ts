import { createHmac } from 'node:crypto';
import { eventKindTable, testEventDescription, testEventKind } from '#lib/contract/event-kinds.ts';
import { eventPayloads, testEventPayload } from '#lib/contract/events.ts';
import { sampleSecret } from '#lib/contract/samples.ts';
import type { JsonObject, Schemas } from './schemas.ts';

/** What a receiver is sent, by the kind of event: the `webhooks` of the document. */
export function eventWebhooks(schemas: Schemas): JsonObject {
  const summaries = { ...eventKindTable, [testEventKind]: testEventDescription };
  return Object.fromEntries(
    [...eventPayloads, [testEventKind, testEventPayload] as const].map(([kind, payload]) => {
      const schema = schemas.write(payload, 'output');
      const example = schemas.exampleOf(schema) as { timestamp: string };
      return [
        kind,
        {
          post: {
            operationId: kind.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: summaries[kind],
            description: kind === testEventKind ? sentAsTest : `${sentToSubscribers} ${howSent}`,
            tags: ['Webhooks'],
            security: [],
            parameters: standardWebhooksHeaders(example),
            requestBody: {
              required: true,
              content: { 'application/json': { schema, example } },
            },
            responses: {
              '2XX': { description: 'The receiver has it: it is delivered.' },
              '410': {
                description: 'The receiver wants nothing more: its webhook is deactivated.',
              },
              '4XX': {
                description:
                  'It is sent again later; after 429 at the time that `Retry-After` says, within 24 hours.',
              },
              '5XX': {
                description:
                  'It is sent again later; after 503 at the time that `Retry-After` says, within 24 hours.',
              },
            },
          },
        },
      ];
    }),
  );
}

const sentToSubscribers =
  'A POST to the address of every active webhook that subscribes to the kind, signed as Standard Webhooks describe.';

const howSent =
  'A receiver has 5 seconds to take the connection and 15 in all to answer. Any 2xx means that it has the event; a redirect is not followed. Otherwise the same body goes again 5 seconds, 5 minutes, 30 minutes, 2, 5, 10 and 10 hours after the attempt before, give or take a fifth: 8 attempts. Deliveries can arrive more than once and out of order: tell them by `webhook-id`. A webhook that has failed for 5 days is deactivated.';

const sentAsTest =
  'Sent once, without retries, when somebody tests a webhook. A test can send the body of any other kind as well.';

/** Standard Webhooks, "Webhook headers". The examples are true of the body: they can be verified. */
function standardWebhooksHeaders(body: { timestamp: string }): JsonObject[] {
  const id = 'msg_1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b';
  const seconds = Math.floor(Date.parse(body.timestamp) / 1000);
  const key = Buffer.from(sampleSecret.slice('whsec_'.length), 'base64');
  const signed = `${id}.${seconds}.${JSON.stringify(body)}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return [
    header('webhook-id', {
      description:
        '`msg_` and the UUID of the event: the same for every webhook and every attempt, so that a receiver can tell what it has already.',
      schema: { type: 'string', pattern: '^msg_[0-9a-f-]{36}$' },
      example: id,
    }),
    header('webhook-timestamp', {
      description: 'When the attempt was made, in seconds since 1970.',
      schema: { type: 'integer' },
      example: seconds,
    }),
    {
      ...header('webhook-replay', {
        description: 'Only when it is sent for a replay: the UUID of that replay.',
        schema: { type: 'string', format: 'uuid' },
      }),
      required: false,
    },
    header('webhook-signature', {
      description: `\`v1,\` and the base64 of HMAC-SHA256 over \`<webhook-id>.<webhook-timestamp>.<body>\`, keyed with what the signing secret holds in base64 after \`whsec_\`. One for each secret that signs, separated by spaces; one that fits is enough. The example is signed with \`${sampleSecret}\`.`,
      schema: { type: 'string' },
      example: `v1,${signature}`,
    }),
  ];
}

function header(name: string, about: JsonObject): JsonObject {
  return { name, in: 'header', required: true, ...about };
}
