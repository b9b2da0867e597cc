import { listApiKeys, listEndedApiKeys } from '#lib/api/api-keys.ts';
import { serveRead } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

/** The list of keys; with `status`, a page of the revoked or expired ones. */
export async function GET(request: Request): Promise<Response> {
  const query = readQueryString(request);
  return await serveRead(request, () =>
    query['status'] === undefined ? listApiKeys() : listEndedApiKeys(query),
  );
}
