import type { Hono } from 'hono';
import type { Context } from '../../context.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { serve } from '../serve.ts';

/** Generated at the first request and kept: it takes a tenth of a second. */
let document: ReturnType<typeof openApiDocument> | undefined;

/** `GET /api/v1/openapi.json`, for anyone. */
export function mountOpenApiRoute(app: Hono, ctx: Context): void {
  app.get(
    '/api/v1/openapi.json',
    serve(ctx, null, async (call) => call.answerJson(200, (document ??= openApiDocument()))),
  );
}
