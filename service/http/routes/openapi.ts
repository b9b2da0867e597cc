import type { Hono } from 'hono';
import type { Context } from '../../context.ts';
import { makeConstantAnswer, sendConstantAnswer } from '../constant-answer.ts';
import type { ConstantAnswer } from '../constant-answer.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { serve } from '../serve.ts';

/** Made at the first request and kept: it takes a few tenths of a second. */
let document: Promise<ConstantAnswer> | undefined;

/** `GET /api/v1/openapi.json`, for anyone. */
export function mountOpenApiRoute(app: Hono, ctx: Context): void {
  app.get(
    '/api/v1/openapi.json',
    serve(ctx, null, async (call) => {
      document ??= makeConstantAnswer(JSON.stringify(openApiDocument()));
      return sendConstantAnswer(call, await document, { needsCaller: false });
    }),
  );
}
