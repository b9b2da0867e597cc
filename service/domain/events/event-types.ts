import { z } from 'zod';
import { eventKindTable } from '#lib/contract/event-kinds.ts';
import type { EventType } from '#lib/contract/event-types.ts';
import { allowNewFields } from '#lib/contract/allow-new-fields.ts';
import { eventPayloads } from '#lib/contract/events.ts';

/** The catalog of event kinds: what each means, the schema of its payload, and a sample of it. */
export const eventTypes: readonly EventType[] = [...eventPayloads].map(([type, payload]) => ({
  type,
  description: eventKindTable[type],
  schema: z.toJSONSchema(payload, {
    override: ({ jsonSchema }) => allowNewFields(jsonSchema),
  }) as Record<string, unknown>,
  sample: sampleOf(payload),
}));

function sampleOf(payload: z.ZodType): Record<string, unknown> {
  const examples: unknown = z.globalRegistry.get(payload)?.examples;
  return payload.parse(Array.isArray(examples) ? examples[0] : undefined) as Record<
    string,
    unknown
  >;
}
