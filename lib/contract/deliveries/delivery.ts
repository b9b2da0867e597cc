import { z } from 'zod';
import { eventTypes, testEventType } from '../events/events.ts';
import { id, identifiers, timestamp, uuid } from '../fields/fields.ts';
import { sampleAttempt, sampleDelivery } from '../samples.ts';
import { attemptErrors } from './attempt-errors.ts';

/** Every type that a sent event can have, `webhook.test` included. */
export const sentEventTypes = [...eventTypes, testEventType] as const;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const deliveryFields = {
  ...identifiers('the delivery'),
  webhook_id: id.describe('Integer id of the webhook it is for.'),
  event: z
    .object({
      uuid: uuid.describe(
        'UUID of the event. The `webhook-id` of every attempt is `msg_`, or for a test `msg_test_`, followed by this UUID.',
      ),
      type: z.enum(sentEventTypes).describe('The event type.'),
      created_at: timestamp.describe('When the event happened.'),
    })
    .describe('The event that is delivered.'),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`pending`: another attempt will be made. `delivered`: the receiver responded with 2xx. `failed`: every attempt of the schedule failed. `cancelled`: no more attempts are made, because its webhook or replay ended or its backlog was skipped.',
    ),
  attempt_count: z.int().min(0).describe('How many attempts were made in all.'),
  next_attempt_at: timestamp
    .nullable()
    .describe(
      'When the next attempt is due; null unless pending. Nothing is sent while the webhook is inactive.',
    ),
  attempts_left: z
    .int()
    .min(0)
    .describe(
      'How many attempts the schedule still has; 0 unless pending. A requested retry is extra.',
    ),
  gives_up_at: timestamp
    .nullable()
    .describe(
      'Approximately when the last of these attempts is made if all fail; null if none is left. Waits vary a little, and receivers can ask for longer ones.',
    ),
  last_attempt_at: timestamp
    .nullable()
    .describe('When the latest attempt began; null if there was none.'),
  last_duration_ms: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Milliseconds from the start of the latest attempt to its end; null if there was none.',
    ),
  last_status_code: z
    .int()
    .nullable()
    .describe('HTTP status of the latest response; null if there was none.'),
  last_error: z
    .string()
    .nullable()
    .describe('Why the latest attempt did not succeed; null if it did, or if there was none.'),
  created_at: timestamp.describe('When the delivery was made.'),
  finished_at: timestamp
    .nullable()
    .describe('When it was delivered, failed or cancelled; null while it is pending.'),
  replay_uuid: uuid
    .nullable()
    .describe(
      'UUID of the replay that sent it last, which can be the backlog of a resumed webhook; null if it was not replayed.',
    ),
  filter_error: z
    .string()
    .nullable()
    .describe(
      'Why the filter of the webhook could not be evaluated for the event, which was sent in spite of that; null if it was evaluated, or not needed.',
    ),
};

export const delivery = z.object(deliveryFields).meta({
  id: 'Delivery',
  description: 'One event on its way to one webhook.',
  examples: [sampleDelivery],
});

export type Delivery = z.infer<typeof delivery>;

const headers = z.record(z.string(), z.string());

const attemptOutcome = {
  status_code: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
  redirects_to: z
    .string()
    .nullable()
    .describe(
      'Where a response of 3xx points, which is not followed; null for any other response. Shortened like `url`.',
    ),
  error: z
    .object({
      kind: z
        .string()
        .describe(`The kind of error:\n${listAttemptErrors()}\n\nMore kinds may be added.`),
      message: z.string().describe('The same, in words.'),
    })
    .nullable()
    .describe('Why there is no complete response; null if there is one.'),
};

/** When an attempt began, how long it took and what it got. */
export const attemptSummary = z.object({
  started_at: timestamp.describe('When it began.'),
  duration_ms: z.int().min(0).describe('Milliseconds from its start to its end.'),
  ...attemptOutcome,
  body_excerpt: z
    .string()
    .nullable()
    .describe(
      'The first 200 characters of the body of the response, with each run of white space as one space; null if there is none, and for keys and members of the account that may not read what receivers wrote.',
    ),
});

export type AttemptSummary = z.infer<typeof attemptSummary>;

/** One attempt to send a delivery, and its result. */
export const attempt = z
  .object({
    id: id.describe('Integer id of the attempt.'),
    number: z.int().positive().describe('Which attempt of the delivery it is, from 1.'),
    started_at: timestamp.describe('When it began.'),
    duration_ms: z.int().min(0).describe('Milliseconds from its start to its end.'),
    waited_ms: z.int().min(0).describe('Milliseconds it was due before it began.'),
    first_byte_ms: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Milliseconds from its start to the first byte of the response; null if there was none.',
      ),
    url: z
      .string()
      .describe(
        'Where it was sent. Keys without `webhooks:read`, and members who may not change webhooks, see the scheme and host only, followed by `/…`; in the header `location` of the response as well.',
      ),
    ...attemptOutcome,
    request: z
      .object({
        headers: headers.describe('The headers that were sent.'),
        body: z
          .string()
          .nullable()
          .describe(
            'The body as text; null for members of the account who may not read what customers wrote, and for keys that lack the scope that subscribing to the event type needs.',
          ),
        body_bytes: z.int().min(0).describe('Size of the body in bytes.'),
      })
      .describe('What was sent.'),
    response: z
      .object({
        headers: headers.describe(
          'Headers that help to explain the response, such as the content type, `Retry-After` and request ids; never cookies or credentials. Only the content type for callers that may not read the body.',
        ),
        body: z
          .string()
          .nullable()
          .describe(
            'The body as text; null for members of the account who may not read what receivers wrote, and for keys that may not read what was sent.',
          ),
        body_bytes: z.int().min(0).describe('Size in bytes of what is kept of the body.'),
        truncated: z
          .boolean()
          .describe('Whether the body was longer than the 4 KiB that are kept of it.'),
      })
      .nullable()
      .describe('What the receiver sent back; null if there was no response.'),
  })
  .meta({
    id: 'Attempt',
    description: 'One attempt to send a delivery, and its result.',
    examples: [sampleAttempt],
  });

export type Attempt = z.infer<typeof attempt>;

export const deliveryWithAttempts = z
  .object({
    ...deliveryFields,
    attempts: z.array(attempt).describe('Its attempts, the latest last.'),
  })
  .meta({
    id: 'DeliveryWithAttempts',
    description: 'A delivery with every attempt to send it.',
    examples: [{ ...sampleDelivery, attempts: [sampleAttempt] }],
  });

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

function listAttemptErrors(): string {
  return Object.entries(attemptErrors)
    .map(([kind, { meaning }]) => `- \`${kind}\`: ${meaning}`)
    .join('\n');
}
