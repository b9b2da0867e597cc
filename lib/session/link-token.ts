import 'server-only';
import { apiError } from '../api/api-error.ts';
import type { LinkKind } from '../contract/people/links.ts';
import { clearLinkCookie, readLinkToken } from '../cookies/link-cookie.ts';

/**
 * The token of the link that was opened in this browser.
 * @throws ApiError VALIDATION_ERROR without details if none was
 */
export async function requiredLinkToken(kind: LinkKind): Promise<string> {
  const token = await readLinkToken(kind);
  if (token === null) throw apiError('VALIDATION_ERROR', { message: 'Open the link again.' });
  return token;
}

/** Does what a link is for, and then forgets the link. */
export async function withLinkToken<Value>(
  kind: LinkKind,
  act: (token: string) => Promise<Value>,
): Promise<Value> {
  const value = await act(await requiredLinkToken(kind));
  await clearLinkCookie(kind);
  return value;
}
