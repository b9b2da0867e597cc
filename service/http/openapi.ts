import { z } from 'zod';
import { errorTable } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import { errorEnvelope, unauthenticatedBody } from '#lib/contract/errors.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { version } from '../version.ts';

type JsonObject = Record<string, unknown>;

/** The OpenAPI 3.1 document of the public operations, made from the contract that serves them. */
export function openApiDocument(): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of publicRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Conversation Service API',
      version,
      description:
        'Conversations, API keys and webhooks of a customer-messaging service. Every request carries `Authorization: Bearer <API_KEY>`.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(publicRoutes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_live_…',
          description: 'Made in the dashboard under Settings › API keys.',
        },
      },
      schemas: { Error: schemaOf(errorEnvelope), Unauthenticated: schemaOf(unauthenticatedBody) },
    },
  };
}

function operation(route: RouteDefinition): JsonObject {
  const scope = typeof route.access === 'object' ? route.access.scope : null;
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [tagOf(route)],
    description: scope ? `Needs the scope \`${scope}\`.` : 'Needs no scope.',
    ...(scope && { 'x-required-scope': scope }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success,
        content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
      },
    }),
    responses: { ...successResponses(route), ...errorResponses(route) },
  };
}

function successResponses(route: RouteDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(route.reply).map(([status, body]) => [
      status,
      body
        ? { description: 'Success', content: { 'application/json': { schema: schemaOf(body) } } }
        : { description: 'Success, without a body' },
    ]),
  );
}

function errorResponses(route: RouteDefinition): JsonObject {
  const codes: ErrorCode[] = ['FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'];
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (route.body || route.query) codes.push('VALIDATION_ERROR');
  if (route.body) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  const reference = { $ref: '#/components/schemas/Error' };
  return {
    401: {
      description: 'No key, or an invalid or revoked one',
      content: {
        'application/json': {
          schema: { anyOf: [reference, { $ref: '#/components/schemas/Unauthenticated' }] },
        },
      },
    },
    ...Object.fromEntries(
      codes.map((code) => [
        errorTable[code].status,
        {
          description: `${code}: ${errorTable[code].message}`,
          content: { 'application/json': { schema: reference } },
        },
      ]),
    ),
  };
}

function pathParameters(route: RouteDefinition): JsonObject[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: 'Integer id or UUID.',
    schema: { type: 'string' },
  }));
}

function queryParameters(route: RouteDefinition): JsonObject[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = schemaOf(route.query, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function headerParameters(route: RouteDefinition): JsonObject[] {
  if (!route.isIdempotent) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Names the request for 24 hours. Repeated with the same body it gets the same answer and nothing happens twice; with another body it is refused.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
  ];
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    // Names of reused schemas stay inline: `$defs` would point outside the document.
    metadata: z.registry(),
  });
  return rest;
}

function tagOf(route: RouteDefinition): string {
  const [, , , noun = ''] = route.path.split('/');
  return tags[noun] ?? 'Conversations';
}

const tags: Record<string, string> = {
  'api-key': 'API keys',
  'api-keys': 'API keys',
  'audit-log': 'Audit log',
  webhooks: 'Webhooks',
};
