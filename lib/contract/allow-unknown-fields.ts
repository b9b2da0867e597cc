import type { z } from 'zod';

/**
 * Allows unknown fields and values in the JSON Schema of what the service sends: the API may add
 * both at any time, and clients' validation must not fail because of them. An open list of values
 * still names those that are known.
 */
export function allowUnknownFields(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.enum) {
    schema.anyOf = [{ type: 'string', enum: schema.enum }, { type: 'string' }];
    delete schema.enum;
    delete schema.type;
  }
}
