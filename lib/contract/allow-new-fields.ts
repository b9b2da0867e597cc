/**
 * Lets the JSON Schema of an object that the service sends have fields it does not name: the API
 * may add fields at any time, and what a client validates with must not refuse them.
 */
export function allowNewFields(schema: { additionalProperties?: unknown }): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}
