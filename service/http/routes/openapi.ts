import type { Hono } from 'hono';
import type { AppEnv } from '../call.ts';
import { openApiDocument } from '../openapi.ts';

/** `GET /api/v1/openapi.json`, for anyone. */
export function mountOpenApiRoute(app: Hono<AppEnv>): void {
  const document = openApiDocument();
  app.get('/api/v1/openapi.json', (call) => call.json(document));
}
