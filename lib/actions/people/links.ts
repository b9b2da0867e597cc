'use server';

import { openLink as openLinkOnApi } from '../../api/people/links.ts';
import type { LinkKind } from '../../contract/people/links.ts';
import { readLinkToken, setLinkCookie } from '../../cookies/link-cookie.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runPublicServerAction } from '../run-server-action.ts';

/**
 * Binds a link to this browser: exchanges its token for a cookie, with which the other actions of
 * the link's page work. A link that was opened in this browser before can be opened again.
 */
export async function openLink(kind: LinkKind, token: string): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.openLink, [kind, token], async (valid) => {
    const [validKind, opened] = valid;
    if ((await readLinkToken(validKind, opened)) !== null) return {};
    const { token: exchanged, maxAge } = await openLinkOnApi(validKind, opened);
    await setLinkCookie(validKind, { opened, token: exchanged }, maxAge);
    return {};
  });
}
