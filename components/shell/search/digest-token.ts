/**
 * The SHA-256 of a token as 64 hexadecimal digits, as the service keeps it. Null where the browser
 * computes none: on a page that came without HTTPS, unless from the same machine.
 */
export async function digestToken(token: string): Promise<string | null> {
  if (!window.isSecureContext) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
