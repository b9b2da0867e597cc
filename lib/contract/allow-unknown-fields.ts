import type { z } from 'zod';

/** Lets what the service sends have unknown fields and values: the API may add them at any time. */
export function allowUnknownFields(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.enum) {
    schema.anyOf = [{ type: 'string', enum: schema.enum }, { type: 'string' }];
    delete schema.enum;
    delete schema.type;
  }
}
