import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { success, timestamp, uuid } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { sampleAttempt, sampleSignatureCheck } from '../samples.ts';
import {
  bodyChanges,
  containsSigningSecret,
  longestPasted,
  noSecretAdvice,
  signatureHeaders,
  signatureVerdicts,
  type SignatureHeader,
  type SignatureVerdict,
} from './signature-verdicts.ts';

const verdict = z.enum(Object.keys(signatureVerdicts) as [SignatureVerdict, ...SignatureVerdict[]]);

/** Nothing that is pasted is stored. Of a secret, nothing is even read. */
const pasted = (max: number) =>
  boundedText(max).refine((text) => !containsSigningSecret(text), noSecretAdvice);

const headersAdvice =
  'Use an object with the headers webhook-id, webhook-timestamp and webhook-signature.';

export const checkSignatureInput = z.strictObject({
  headers: z
    .strictObject(
      {
        'webhook-id': pasted(longestPasted.header).optional().describe('As your code saw it.'),
        'webhook-timestamp': pasted(longestPasted.header)
          .optional()
          .describe('As your code saw it.'),
        'webhook-signature': pasted(longestPasted.header)
          .optional()
          .describe('As your code saw it.'),
      },
      { error: headersAdvice },
    )
    .describe('The headers that your code received. A missing one is reported as missing.'),
  body: pasted(longestPasted.body)
    .optional()
    .describe(
      'The body as your code verified it. It is compared with the one that was sent only for callers that may read payloads.',
    ),
  signature: pasted(longestPasted.signature)
    .optional()
    .describe('The signature that your code computed.'),
});

export type CheckSignatureInput = z.output<typeof checkSignatureInput>;

export const signatureCheck = z
  .object({
    verdict: verdict.describe(
      `What is wrong, or that nothing is:\n${listVerdicts()}\n\nMore verdicts may be added.`,
    ),
    also: z.array(verdict).describe('What else is wrong; empty in most cases.'),
    headers: z.array(z.enum(signatureHeaders)).describe('The headers that are missing or changed.'),
    delivery: z
      .object({
        uuid: uuid.describe('UUID of the delivery.'),
        attempt: z.int().positive().nullable().describe('Number of the attempt; null before one.'),
        signed_at: timestamp.nullable().describe('When the attempt was signed.'),
      })
      .nullable()
      .describe('The delivery that was compared; null if there is none.'),
    secret: z
      .object({
        webhook: z
          .object({ uuid: uuid.describe('Its UUID.'), name: z.string().describe('Its name.') })
          .describe('The webhook that it belongs to.'),
        last_four: z.string().length(4).describe('Its last four characters.'),
        created_at: timestamp.describe('When it was created.'),
        valid_until: timestamp.nullable().describe('Until when it signs; null for the newest.'),
      })
      .nullable()
      .describe('The secret with which your code computed the signature; null if unknown.'),
    signed: z
      .string()
      .nullable()
      .describe(
        'What your code signed in place of `id.timestamp.body`, in words; null if unknown.',
      ),
    body: z
      .object({
        sent_bytes: z.int().min(0).describe('Size of the body that was sent.'),
        pasted_bytes: z.int().min(0).describe('Size of the body that you gave.'),
        difference: z
          .object({
            at: z.int().min(0).describe('The first byte that differs, counted from 0.'),
            from: z.int().min(0).describe('The byte with which both excerpts begin.'),
            sent: z.string().describe('An excerpt of the body that was sent.'),
            pasted: z.string().describe('The same part of the body that you gave.'),
            change: z
              .enum(bodyChanges)
              .nullable()
              .describe('What changed, if the values are the same.'),
            moved: z
              .object({
                field: z.string().describe('The field.'),
                behind: z.string().describe('The field before it.'),
              })
              .nullable()
              .describe('A field that is in another place, and the field that precedes it.'),
          })
          .nullable()
          .describe('Null if both are the same.'),
      })
      .nullable()
      .describe('The comparison of the bodies; null if none was made.'),
    clock_offset_seconds: z
      .int()
      .nullable()
      .describe(
        'By how much the clock of your server is ahead, from the `Date` of its response; null if that is unknown, or the caller may not read responses.',
      ),
  })
  .meta({
    id: 'SignatureCheck',
    description: 'What is wrong with a signature that a receiver computed.',
    examples: [sampleSignatureCheck],
  });

export type SignatureCheck = z.infer<typeof signatureCheck>;

export const checkSignature = defineRoute({
  name: 'checkSignature',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/signature-checks',
  summary: 'Find out why a signature does not match',
  description:
    'Compares what your server received and computed with a delivery that the webhook made, which is found by its `webhook-id`, and names the mistake. It computes no signature of the content that you send and returns none. Nothing that you send is stored or logged, and a signing secret is refused. At most 30 checks a minute.',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  body: checkSignatureInput.meta({
    examples: [
      {
        headers: Object.fromEntries(signatureHeaders.map((name) => [name, headerOfSample(name)])),
        signature: 'e18a5e4b1b9f3c2ad0c9a6f7d1e2b3c4a5968778695a4b3c2d1e0f9a8b7c6d5e',
      },
    ],
  }),
  response: { 200: success(signatureCheck) },
});

function headerOfSample(name: SignatureHeader): string {
  return sampleAttempt.request.headers[name];
}

function listVerdicts(): string {
  return Object.entries(signatureVerdicts)
    .map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
    .join('\n');
}
