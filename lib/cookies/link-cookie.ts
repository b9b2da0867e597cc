import 'server-only';
import { createHash } from 'node:crypto';
import type { LinkKind } from '../contract/people/links.ts';
import { clearHostCookie, readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';

/** Strict: only the page of the link needs it, which posts from this site. */
function linkCookie(kind: LinkKind): HostCookie {
  return { name: `link-${kind}`, sameSite: 'strict' };
}

/** The token of this browser's last opened link of a kind; null without, or if it is not `of`. */
export async function readLinkToken(kind: LinkKind, of?: string): Promise<string | null> {
  const [name, token] = (await readHostCookie(linkCookie(kind)))?.split('.') ?? [];
  if (token === undefined || (of !== undefined && name !== nameOf(of))) return null;
  return token;
}

/**
 * @param link the token in the link, and the token that was exchanged for it
 * @param maxAge how long the browser may keep it, in seconds
 */
export async function setLinkCookie(
  kind: LinkKind,
  link: { opened: string; token: string },
  maxAge: number,
): Promise<void> {
  await setHostCookie(linkCookie(kind), `${nameOf(link.opened)}.${link.token}`, maxAge);
}

export async function clearLinkCookie(kind: LinkKind): Promise<void> {
  await clearHostCookie(linkCookie(kind));
}

/** Tells links apart, so that one which is opened again in its browser still works. */
function nameOf(opened: string): string {
  return createHash('sha256').update(opened).digest('base64url').slice(0, 16);
}
