import type { Page } from '@playwright/test';

export type RecordedResponse = {
  url: string;
  type: string;
  isAction: boolean;
  cacheControl: string;
  text: string;
};

/**
 * Reads every response before the page does: documents, payloads and results of actions, but not
 * the static files, which a test reads from the disk. `unread` collects the URLs of responses that
 * could not be read because the page was left.
 */
export async function recordResponses(
  page: Page,
): Promise<{ responses: RecordedResponse[]; unread: string[] }> {
  const responses: RecordedResponse[] = [];
  const unread: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Fetch.enable', { patterns: [{ requestStage: 'Response' }] });

  async function read(paused: Paused): Promise<void> {
    const { requestId, request, resourceType: type, responseStatusCode: status } = paused;
    if (new URL(request.url).pathname.startsWith('/_next/static/')) {
      await devtools.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
      return;
    }
    try {
      const { body, base64Encoded } = hasBody(type, status)
        ? await devtools.send('Fetch.getResponseBody', { requestId })
        : { body: '', base64Encoded: false };
      const headers = new Map(
        paused.responseHeaders?.map(({ name, value }) => [name.toLowerCase(), value]),
      );
      responses.push({
        url: request.url,
        type,
        isAction: request.method === 'POST' && 'next-action' in lowerCased(request.headers),
        cacheControl: headers.get('cache-control') ?? '',
        text: base64Encoded ? Buffer.from(body, 'base64').toString() : body,
      });
    } catch {
      unread.push(request.url);
    }
    await devtools.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  }

  devtools.on('Fetch.requestPaused', (paused) => void read(paused));
  return { responses, unread };
}

/** The event of Chromium's DevTools for a response that is held back. */
type Paused = {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string> };
  resourceType: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
};

/** Redirects and failed requests have no body; fonts contain no text. */
function hasBody(type: string, status: number | undefined): boolean {
  const isRedirect = status !== undefined && status >= 300 && status < 400;
  return status !== undefined && !isRedirect && type !== 'Font';
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
