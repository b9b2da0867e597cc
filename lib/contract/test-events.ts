import { z } from 'zod';
import { eventKinds, testEventKind } from './event-kinds.ts';
import { eventDataOf } from './events.ts';

const sentAsTest = [testEventKind, ...eventKinds] as const;

/**
 * What a test sends: `webhook.test`, or the body of any kind a webhook can subscribe to. Data left
 * out is the kind's sample.
 */
export const testWebhookInput = z
  .strictObject({
    type: z
      .enum(sentAsTest, { error: `Use one of: ${sentAsTest.join(', ')}.` })
      .default(testEventKind),
    data: z
      .record(z.string(), z.unknown(), { error: 'Use a JSON object.' })
      .optional()
      .describe(
        'What the event is about, as its kind describes; left out: the sample of the kind.',
      ),
  })
  .superRefine(({ type, data }, context) => {
    if (data === undefined) return;
    for (const { path, message } of eventDataOf(type).safeParse(data).error?.issues ?? []) {
      const where = path.length > 0 ? `${path.join('.')}: ` : '';
      context.addIssue({ code: 'custom', path: ['data'], message: `${where}${message}` });
    }
  })
  .meta({ id: 'TestWebhookInput', examples: [{ type: testEventKind }] });
