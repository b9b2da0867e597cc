import 'server-only';
import { text as readText } from 'node:stream/consumers';
import { apiError } from '../api/api-error.ts';
import { baseUrl, sendCall } from '../api/send-call.ts';

/** A JSON Schema, as far as the reference shows it. */
export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

type Media = Record<string, { schema: Schema; example?: unknown }>;
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
};
export type DocumentedResponse = { description: string; content?: Media };
type Reference = { $ref: string };

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: readonly [string];
  'x-required-scope'?: string;
  parameters: readonly (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, DocumentedResponse | Reference>;
};

/** The OpenAPI document of the service, as far as the documentation shows it. */
export type ApiDocument = {
  info: { version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DocumentedResponse>;
  };
};

/** It cannot change while the service runs, and the pages of the dashboard start with it. */
let known: ApiDocument | undefined;

/** The OpenAPI document, which the service serves to everyone. @throws ApiError UNAVAILABLE */
export async function readApiDocument(): Promise<ApiDocument> {
  if (known) return known;
  const response = await sendCall(
    { method: 'GET' },
    { url: new URL('/api/v1/openapi.json', baseUrl()), body: null, headers: {} },
  );
  const text = await readText(response);
  if (response.statusCode !== 200) throw apiError('UNAVAILABLE');
  known = JSON.parse(text) as ApiDocument;
  return known;
}

/** What a reference of the document leads to. */
export function resolve<Part extends object>(document: ApiDocument, part: Part | Reference): Part {
  if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  const components = document.components as Record<string, Record<string, object>>;
  const found = components[kind]?.[name];
  if (!found) throw new Error(`${part.$ref} leads nowhere`);
  // A reference can have a description of its own.
  const { $ref: _ref, ...own } = part;
  return { ...found, ...own } as Part;
}
