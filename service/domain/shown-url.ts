import { memberMay } from '#lib/contract/rights/member-rights.ts';
import { shortUrl } from '#lib/contract/webhooks/short-url.ts';
import type { Actor } from './actor.ts';

/**
 * Whether an actor sees the whole URLs of webhooks. Members do if they may change webhooks; keys do
 * if they may list them, since `GET /webhooks` returns whole URLs.
 */
function seesWholeUrls(actor: Actor): boolean {
  return actor.kind === 'api_key'
    ? actor.scopes.includes('webhooks:read')
    : memberMay(actor, 'webhooks.update');
}

/** The URL of a webhook as an actor sees it. */
export function shownUrl(actor: Actor, url: string): string {
  return seesWholeUrls(actor) ? url : shortUrl(url);
}

/** The headers of a receiver's response as an actor sees them: a redirect has a URL, too. */
export function shownHeaders(
  actor: Actor,
  headers: Record<string, string>,
): Record<string, string> {
  const { location } = headers;
  if (location === undefined || seesWholeUrls(actor)) return headers;
  return { ...headers, location: URL.canParse(location) ? shortUrl(location) : '…' };
}

/** What an audit entry says of a change, as an actor sees it. */
export function shownChanges(
  actor: Actor,
  { target, changes }: { target: { kind: string }; changes: Record<string, unknown> | null },
): Record<string, unknown> | null {
  const url = changes?.['url'];
  if (target.kind !== 'webhook' || url === undefined || seesWholeUrls(actor)) return changes;
  return { ...changes, url: withShortUrls(url) };
}

/** A URL, or the values `from` and `to` of one that was changed. */
function withShortUrls(value: unknown): unknown {
  if (typeof value === 'string') return shortUrl(value);
  const fields = Object.entries(Object(value) as Record<string, unknown>);
  return Object.fromEntries(fields.map(([name, url]) => [name, shortUrl(String(url))]));
}
