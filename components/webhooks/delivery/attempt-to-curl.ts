import type { Attempt } from '#lib/contract/deliveries/delivery.ts';
import { isShortUrl } from '#lib/contract/webhooks/short-url.ts';

/**
 * A curl command that sends the same request again, including the signature. Receivers that check
 * the signature's timestamp refuse it after a few minutes.
 *
 * @returns null if the person may not see the body or the whole URL
 */
export function attemptToCurl({ url, request }: Attempt): string | null {
  if (request.body === null || isShortUrl(url)) return null;
  const headers = Object.entries(request.headers)
    .filter(([name]) => !setByCurl.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return [`curl -i ${quote(url)}`, ...headers, `--data-binary ${quote(request.body)}`].join(
    ' \\\n  ',
  );
}

const setByCurl = new Set(['host', 'content-length', 'connection', 'accept-encoding']);

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
