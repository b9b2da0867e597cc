import { createHmac } from 'node:crypto';
import { eventKindTable } from '#lib/contract/event-kinds.ts';
import { eventPayloads } from '#lib/contract/events.ts';
import { sampleSecret } from '#lib/contract/samples.ts';
import type { JsonObject, Schemas } from './schemas.ts';

/** What a receiver is sent, by the kind of event: the `webhooks` of the document. */
export function eventWebhooks(schemas: Schemas): JsonObject {
  return Object.fromEntries(
    [...eventPayloads].map(([kind, payload]) => {
      const schema = schemas.write(payload, 'output');
      const example = schemas.exampleOf(schema) as { timestamp: string };
      return [
        kind,
        {
          post: {
            operationId: kind.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
            summary: eventKindTable[kind],
            description:
              'This version records the event with this body; it does not send it yet. Where it is sent, it is a POST to the address of every active webhook that subscribes to the kind, signed as Standard Webhooks describe.',
            tags: ['Webhooks'],
            security: [],
            parameters: standardWebhooksHeaders(example),
            requestBody: {
              required: true,
              content: { 'application/json': { schema, example } },
            },
            responses: {
              '2XX': { description: 'The receiver has it.' },
              '4XX': { description: 'The receiver does not take it.' },
            },
          },
        },
      ];
    }),
  );
}

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
