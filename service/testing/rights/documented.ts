import { z } from 'zod';
import { errorTable } from '#lib/contract/error-codes.ts';
import { errorEnvelope, unauthenticatedBody } from '#lib/contract/error-envelope.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { openApiDocument } from '../../http/openapi/openapi.ts';
import type { ApiResponse } from '../api.ts';

type Media = { schema: object };
type Described = {
  $ref?: string;
  content?: Record<string, Media>;
  headers?: Record<string, { $ref: string }>;
};
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: {
    schemas: Record<string, z.core.JSONSchema.JSONSchema>;
    responses: Record<string, Described>;
    headers: Record<string, { required?: boolean }>;
  };
};

/** The document as a client reads it, with its references to schemas as zod follows them. */
const { paths, components } = JSON.parse(
  JSON.stringify(openApiDocument()).replaceAll('#/components/schemas/', '#/$defs/'),
) as Document;

/** Headers that HTTP defines for any response; the introduction of the document names their values. */
const ofAnyResponse = ['cache-control', 'content-length', 'content-type', 'vary'];

const readers = new Map<object, z.ZodType>();

/**
 * How a response differs from the OpenAPI document, or, for a route of the dashboard, from the
 * contract; null if it does not. People are no clients of the document: its routes refuse them for
 * more reasons than it lists.
 */
export function findUndocumented(
  route: RouteDefinition,
  response: ApiResponse,
  { isPerson }: { isPerson: boolean },
): string | null {
  const { status, body, text } = response;
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  const described = operation?.responses[status];
  if (operation && !described && !isPerson) return `${status} is not documented`;
  const wrongHeaders = described && !isPerson ? findUndocumentedHeaders(described, response) : [];
  if (wrongHeaders.length > 0) return `${status} with the headers ${wrongHeaders.join()}`;
  if (status >= 400) return isKnownError(response) ? null : `responds with ${status} ${text}`;
  if (!described) return isOfContract(route, response) ? null : `${status} is not in the contract`;
  const { content } = described;
  const media = content?.['application/json'];
  if (!media) return content || body === null ? null : `${status} has a body`;
  const read = readers.get(media) ?? readerOf(media);
  readers.set(media, read);
  const { error } = read.safeParse(body);
  return error ? `${status} has another body: ${z.prettifyError(error)}` : null;
}

/** Headers that are sent but not documented, or required but not sent. */
function findUndocumentedHeaders(described: Described, { headers }: ApiResponse): string[] {
  const shared = components.responses[described.$ref?.split('/').at(-1) ?? ''];
  const names = Object.keys((shared ?? described).headers ?? {});
  const known = [...ofAnyResponse, ...names.map((name) => name.toLowerCase())];
  return [
    ...[...headers.keys()].filter((name) => !known.includes(name)),
    ...names.filter((name) => components.headers[name]?.required && !headers.has(name)),
  ];
}

/** The statuses that the OpenAPI document lists for a route. */
export function documentedStatuses({ path, method }: RouteDefinition): number[] {
  return Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
}

function readerOf({ schema }: Media): z.ZodType {
  return z.fromJSONSchema({ ...schema, $defs: components.schemas });
}

/** Whether a refusal has a body of the API. */
export function isKnownError({ status, body }: ApiResponse): boolean {
  if (unauthenticatedBody.strict().safeParse(body).success) return status === 401;
  const { data } = errorEnvelope.strict().safeParse(body);
  return data !== undefined && errorTable[data.error.code].status === status && status < 500;
}

function isOfContract(route: RouteDefinition, { status, body }: ApiResponse): boolean {
  const schema = route.response[status];
  return schema ? schema.safeParse(body).success : schema === null && body === null;
}
