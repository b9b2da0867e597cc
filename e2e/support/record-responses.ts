import type { Page } from '@playwright/test';

export type Answer = {
  url: string;
  type: string;
  isAction: boolean;
  cacheControl: string;
  text: string;
};

/**
 * Reads every answer before the page does: documents, payloads, results of actions; not the files
 * that are the same for everybody, which a test reads where they lie.
 * `unread` fills with the addresses of those that a page left behind before they could be read.
 */
export async function recordResponses(
  page: Page,
): Promise<{ answers: Answer[]; unread: string[] }> {
  const answers: Answer[] = [];
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
      answers.push({
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
  return { answers, unread };
}

/** What Chromium's tools say of an answer that they hold up. */
type Paused = {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string> };
  resourceType: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
};

/** Redirects carry none, nor does what never came; fonts carry no text. */
function hasBody(type: string, status: number | undefined): boolean {
  const isRedirect = status !== undefined && status >= 300 && status < 400;
  return status !== undefined && !isRedirect && type !== 'Font';
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
