import type { Page } from '@playwright/test';
import { holdNextResponse } from './hold-next-response.ts';

/**
 * Loses the response to the next server action of this page: the service acts, but the connection
 * breaks before the response arrives. Returns the lost response.
 *
 * @param after how many earlier actions get their responses
 */
export async function loseNextResponse(
  page: Page,
  options?: { after: number },
): Promise<{ response: Promise<string> }> {
  const { arrived, lose } = await holdNextResponse(page, options);
  lose();
  return { response: arrived };
}

/** The token in a lost response. */
export function tokenIn(response: string): string {
  const [token] = /sk_live_\w+/.exec(response) ?? [];
  if (token === undefined) throw new Error('the lost response held no token');
  return token;
}
