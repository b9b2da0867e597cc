import type { Hono } from 'hono';
import type { AppEnv } from '../call.ts';
import { openApiDocument } from '../openapi/openapi.ts';

/** Generated at the first request and kept: it takes a tenth of a second. */
let document: ReturnType<typeof openApiDocument> | undefined;

/** `GET /api/v1/openapi.json`, for anyone. */
export function mountOpenApiRoute(app: Hono<AppEnv>): void {
  app.get('/api/v1/openapi.json', (call) => call.json((document ??= openApiDocument())));
}
