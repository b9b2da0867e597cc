import 'server-only';
import * as contract from '../../contract/people/links.ts';
import type { LinkKind } from '../../contract/people/links.ts';
import { request } from '../client/client.ts';

/**
 * Exchanges the token of a link for one that only this browser gets. @throws ApiError if the link is
 * no longer valid
 */
export async function openLink(
  kind: LinkKind,
  token: string,
): Promise<{ token: string; maxAge: number }> {
  const { data } = await request(contract.openLink, { body: { kind, token } });
  return { token: data.token, maxAge: data.max_age };
}
