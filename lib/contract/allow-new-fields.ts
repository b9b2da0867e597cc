/**
 * Allows unknown fields in the JSON Schema of an object that the service sends: the API may add
 * fields at any time, and clients' validation must not fail because of them.
 */
export function allowNewFields(schema: { additionalProperties?: unknown }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}
