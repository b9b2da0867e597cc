import { z } from 'zod';
import { eventDataOf, eventTypes, testEventType } from './events.ts';
import type { EventType, TestEventType } from './events.ts';
import { sampleEvent } from '../samples.ts';
import { whenValid } from '../when-valid.ts';

const sentAsTest = [testEventType, ...eventTypes] as const;

const sentAs = z.enum(sentAsTest, { error: `Use one of: ${sentAsTest.join(', ')}.` });

const testData = z
  .record(z.string(), z.unknown(), { error: 'Use a JSON object.' })
  .refine(
    hasExactNumbers,
    `Write numbers beyond ±${Number.MAX_SAFE_INTEGER} as text: reading them as numbers would round them.`,
  );

function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers);
}

/**
 * What a test sends: `webhook.test`, or the body of any type a webhook can subscribe to. Data left
 * out is the type's sample.
 */
export const testWebhookInput = z
  .strictObject({
    type: sentAs.optional().describe(`The event type to send. Default: \`${testEventType}\`.`),
    data: testData
      .optional()
      .describe(
        'The `data` of the event, as the schema of its type describes it. Default: the sample of the type.',
      ),
  })
  .superRefine(
    (given, context) => {
      if (given.data === undefined) return;
      for (const { path, message } of refusalsOf(given.type ?? testEventType, given.data)) {
        const where = path.length > 0 ? `${path.join('.')}: ` : '';
        context.addIssue({ code: 'custom', path: ['data'], message: `${where}${message}` });
      }
    },
    whenValid({ type: sentAs.optional(), data: testData.optional() }),
  )
  .meta({
    id: 'TestWebhookInput',
    description: 'What a test sends.',
    examples: [{ type: testEventType }],
  });

export type TestWebhookInput = z.input<typeof testWebhookInput>;

/**
 * Whether a test imitates a real event, or has content that its sender chose. Only those who may
 * change the webhook may send it.
 */
export function hasChosenContent({ type, data }: TestWebhookInput): boolean {
  return data !== undefined || (type !== undefined && type !== testEventType);
}

function refusalsOf(type: EventType | TestEventType, data: unknown) {
  const { error } = eventDataOf(type).safeParse(data, { error: adviceOn });
  return error?.issues ?? [];
}

/** The message for a value that does not match the schema of an event, which has none itself. */
function adviceOn(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'This field is required.';
  if (issue.code === 'invalid_value') return `Use one of: ${issue.values.join(', ')}.`;
  if (issue.code === 'invalid_format' && issue.format === 'guid') return 'Use a UUID.';
  if (issue.code === 'invalid_format') return `Use a time such as ${sampleEvent.created_at}.`;
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    return issue.origin === 'string'
      ? 'Use 1 to 1000 characters.'
      : 'Use a whole number from 1 on.';
  }
  if (issue.code !== 'invalid_type') return 'Use a value that the schema of the event allows.';
  if (issue.expected === 'string') return 'Use text.';
  return issue.expected === 'object' ? 'Use a JSON object.' : 'Use a whole number from 1 on.';
}
