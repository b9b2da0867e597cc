import type { z } from 'zod';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { headers, headersAfterAuthentication } from './headers.ts';
import { refusalsOf } from './refusals.ts';
import type { JsonObject, Schemas } from './schemas.ts';
import { tagOf } from './tags.ts';

const idempotencyKeys = {
  'same-response': 'IdempotencyKey',
  'fresh-secret': 'IdempotencyKeyOfSecret',
};

/** One operation of the contract: who may call it, its input, and all its responses. */
export function operationOf(route: RouteDefinition, schemas: Schemas): JsonObject {
  const scope = typeof route.access === 'object' ? route.access.scope : null;
  const needs = scope
    ? `Requires the scope \`${scope}\`.`
    : 'Any key can call it, regardless of its scopes.';
  return {
    operationId: route.name,
    summary: route.summary,
    description: route.description ? `${route.description} ${needs}` : needs,
    tags: [tagOf(route)],
    ...(scope && { 'x-required-scope': scope }),
    // OpenAPI 3.1 allows the scope here, but tools take it for an OAuth scope.
    security: [{ apiKey: [] }],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, schemas),
      ...(route.onRepeat
        ? [{ $ref: `#/components/parameters/${idempotencyKeys[route.onRepeat]}` }]
        : []),
      ...(route.isConstant ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(route.body && { requestBody: requestBody(route.body, schemas) }),
    responses: {
      ...successes(route, schemas),
      ...(route.isConstant && { 304: unchanged }),
      ...refusalsOf(route, schemas),
    },
  };
}

function successes(route: RouteDefinition, schemas: Schemas): JsonObject {
  return Object.fromEntries(
    Object.entries(route.response).map(([status, body]) => {
      const response = {
        description: body ? (descriptions[status] ?? 'Success.') : 'Done. There is no body.',
        headers: headers(
          ...headersAfterAuthentication,
          ...(route.isConstant ? ['ETag' as const] : []),
        ),
      };
      if (route.streams) return [status, streamed(route.streams, route.isEndless)];
      return [
        status,
        body ? { ...response, content: json(schemas.write(body, 'output'), schemas) } : response,
      ];
    }),
  );
}

const unchanged = {
  description: 'You already have it: it matches `If-None-Match`. There is no body.',
  headers: headers(...headersAfterAuthentication, 'ETag'),
};

function streamed(streams: NonNullable<RouteDefinition['streams']>, isEndless = false): JsonObject {
  return {
    description: `Success. The text is streamed${isEndless ? ', and does not end by itself' : ''}.`,
    headers: headers(
      ...headersAfterAuthentication,
      ...(isEndless ? [] : (['X-Total-Count', 'Content-Disposition'] as const)),
    ),
    content: Object.fromEntries(
      Object.entries(streams).map(([type, example]) => [
        type,
        { schema: { type: 'string' }, example },
      ]),
    ),
  };
}

const descriptions: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Queued: it is sent soon.',
};

function requestBody(body: z.ZodType, schemas: Schemas): JsonObject {
  const isRequired = !body.safeParse({}).success;
  return {
    description: isRequired ? 'A JSON object.' : 'A JSON object, or nothing.',
    required: isRequired,
    content: json(schemas.write(body, 'input'), schemas),
  };
}

function json(schema: JsonObject, schemas: Schemas): JsonObject {
  return { 'application/json': { schema, example: schemas.exampleOf(schema) } };
}

function pathParameters({ path }: RouteDefinition): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    $ref: `#/components/parameters/${name}`,
  }));
}

function queryParameters({ query }: RouteDefinition, schemas: Schemas): JsonObject[] {
  if (!query) return [];
  return schemas.inputFields(query).map(({ name, isRequired, schema }) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: 'query',
      required: isRequired,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}
