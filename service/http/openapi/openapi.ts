import { errorEnvelope, unauthenticatedBody } from '#lib/contract/error-envelope.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { version } from '../../version.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { headerComponents } from './headers.ts';
import { introduction } from './introduction.ts';
import { operationOf } from './operation.ts';
import { parameterComponents } from './parameters.ts';
import { responseComponents } from './refusals.ts';
import { Schemas } from './schemas.ts';
import type { JsonObject } from './schemas.ts';
import { tags } from './tags.ts';

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
      description: introduction,
      contact: { name: 'The operator of this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
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
            'A token of an API key, in the header `Authorization: Bearer <API_KEY>`. Keys are created in the dashboard under Settings › API keys. `x-required-scope` of an operation is the scope that the key needs.',
        },
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: responseComponents,
      schemas: schemas.components,
    },
  };
}
