import type { z } from 'zod';

const secrets = new WeakSet<z.ZodType>();

/**
 * Marks a field of a response as a token, secret or code that no other response contains. A route
 * that responds with one is `oneTime`. Describe the schema first: what is derived is not marked.
 */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  secrets.add(schema);
  return schema;
}

export function isSecret(schema: z.ZodType): boolean {
  return secrets.has(schema);
}
