import type { Hono } from 'hono';
import type { Context } from '../../context.ts';
import { makeConstantResponse, sendConstantResponse } from '../constant-response.ts';
import type { ConstantResponse } from '../constant-response.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { handleCall } from '../handle-call.ts';

/** Created at the first request and kept, because it takes a few tenths of a second. */
let document: Promise<ConstantResponse> | undefined;

/** The only operation of the API that the document does not describe. */
export const openApiRoute = {
  method: 'GET',
  path: '/api/v1/openapi.json',
  access: 'public',
} as const;

/** Serves the description of the API to anyone. */
export function mountOpenApiRoute(app: Hono, ctx: Context): void {
  app.get(
    openApiRoute.path,
    handleCall(ctx, null, async (call) => {
      document ??= makeConstantResponse(JSON.stringify(openApiDocument()));
      return sendConstantResponse(call, await document, { needsCaller: false });
    }),
  );
}
