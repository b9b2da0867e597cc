import openapiTS, { astToString } from 'openapi-typescript';

/** The types that clients in TypeScript generate from an OpenAPI document. */
export async function generateTypes(document: string): Promise<string> {
  return astToString(await openapiTS(document));
}
