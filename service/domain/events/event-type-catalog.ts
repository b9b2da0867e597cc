import { z } from 'zod';
import { allowUnknownFields } from '#lib/contract/allow-unknown-fields.ts';
import type { EventTypeEntry } from '#lib/contract/events/event-type-catalog.ts';
import { eventDescriptionOf, eventPayloads } from '#lib/contract/events/events.ts';

/** The catalog of event types: what each means, the schema of its payload, and a sample of it. */
export const eventTypeCatalog: readonly EventTypeEntry[] = [...eventPayloads].map(
  ([type, payload]) => ({
    type,
    description: eventDescriptionOf(type),
    schema: z.toJSONSchema(payload, {
      override: ({ jsonSchema }) => allowUnknownFields(jsonSchema),
    }) as Record<string, unknown>,
    sample: sampleOf(payload),
  }),
);

function sampleOf(payload: z.ZodType): Record<string, unknown> {
  const examples: unknown = z.globalRegistry.get(payload)?.examples;
  return payload.parse(Array.isArray(examples) ? examples[0] : undefined) as Record<
    string,
    unknown
  >;
}
