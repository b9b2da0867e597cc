import type { BrowserContext, ConsoleMessage, Request } from '@playwright/test';

/** What a browser must not do while a test runs, and did. */
export type Guard = {
  /** Lets a test provoke a problem that would otherwise fail it: a part of the problem's text. */
  allow(pattern: RegExp): void;
  /** Treats a second server of the suite as our own. */
  trust(origin: string): void;
  /** All problems that were not allowed, in words. */
  problems(): string[];
};

/**
 * How Next.js logs that a page could not be rendered on the server, and that `error.tsx` is shown
 * in its place. An error that nothing handles is not a log entry, but `uncaught`.
 */
export const handledPageError =
  /^console error: Error: (Minified React error #441|An error occurred in the Server Components render)/;

/** The message of Playwright if playwright.config.ts blocks service workers. */
const blockedByPlaywright = 'Service Worker registration blocked by Playwright';

/**
 * Watches every page of a context for console errors and warnings, uncaught errors, violations of
 * the content security policy, requests to another origin, and own requests that fail.
 */
export async function watch(context: BrowserContext, origin: string): Promise<Guard> {
  const seen: string[] = [];
  const allowed: RegExp[] = [];
  const own = new Set([origin]);

  context.on('console', (message) => {
    const isProblem = ['error', 'warning'].includes(message.type());
    if (isProblem && message.text() !== blockedByPlaywright) seen.push(inWords(message));
  });
  context.on('weberror', (event) => seen.push(`uncaught: ${event.error().message}`));
  context.on('request', (request) => {
    if (!isOwn(request, own)) seen.push(`request to another origin: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no reason given';
    // Leaving a page aborts its requests in progress.
    if (isOwn(request, own) && reason !== 'net::ERR_ABORTED') {
      seen.push(`request failed (${reason}): ${request.method()} ${request.url()}`);
    }
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      // oxlint-disable-next-line no-console -- this is how it reaches the listener above
      console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`);
    });
  });

  return {
    allow: (pattern) => void allowed.push(pattern),
    trust: (other) => void own.add(other),
    problems: () => seen.filter((problem) => !allowed.some((pattern) => pattern.test(problem))),
  };
}

function inWords(message: ConsoleMessage): string {
  return `console ${message.type()}: ${message.text()} (${message.location().url})`;
}

function isOwn(request: Request, own: ReadonlySet<string>): boolean {
  const url = new URL(request.url());
  return own.has(url.origin) || ['data:', 'blob:', 'about:'].includes(url.protocol);
}
