import { errorEnvelope, unauthenticatedBody } from '#lib/contract/errors.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { version } from '../version.ts';
import { eventWebhooks } from './openapi/event-webhooks.ts';
import { headerComponents } from './openapi/headers.ts';
import { operationOf } from './openapi/operation.ts';
import { parameterComponents } from './openapi/parameters.ts';
import { responseComponents } from './openapi/refusals.ts';
import { Schemas } from './openapi/schemas.ts';
import type { JsonObject } from './openapi/schemas.ts';
import { tags } from './openapi/tags.ts';

/** The OpenAPI 3.1 document of the public operations, made from the contract that serves them. */
export function openApiDocument(): JsonObject {
  const schemas = new Schemas();
  schemas.write(errorEnvelope, 'output');
  schemas.write(unauthenticatedBody, 'output');
  const paths: Record<string, JsonObject> = {};
  for (const route of publicRoutes) {
    const operation = operationOf(route, schemas);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Conversation Service API',
      version,
      description,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: '/', description: 'The service that answers this document.' }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks: eventWebhooks(schemas),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'sk_live_…',
          description:
            'A key, made in the dashboard under Settings › API keys, in `Authorization: Bearer <API_KEY>`. It is read from nowhere else. What stands beside it in `security` is the scope the key needs.',
        },
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      schemas: schemas.components,
    },
  };
}

const description = `Conversations, API keys and webhooks of a customer-messaging service.

Every request carries \`Authorization: Bearer <API_KEY>\`; only this document is for anyone. A body is JSON of at most 1 MiB, 5,000 values and 32 levels. Where it is optional, white space, \`{}\`, \`[]\` and \`null\` count as none, whatever the content type. A key acts in its own account: what belongs to another is answered as what does not exist.

An answer is \`{"success":true,"data":…}\`, with \`next_cursor\` where there are pages, or the error envelope. Nothing may be cached: every answer carries \`Cache-Control: no-store\`.`;
