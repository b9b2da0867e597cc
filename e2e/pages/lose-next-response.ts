import type { Page } from '@playwright/test';
import { holdNextResponse } from './hold-next-response.ts';

/**
 * The next server action of this page reaches the service and is done; the connection breaks before
 * its answer arrives. Gives the answer that was lost.
 *
 * @param after how many actions are answered before
 */
export async function loseNextResponse(
  page: Page,
  options?: { after: number },
): Promise<{ answer: Promise<string> }> {
  const { arrived, lose } = await holdNextResponse(page, options);
  lose();
  return { answer: arrived };
}

/** The token in an answer that was lost. */
export function tokenIn(answer: string): string {
  const [token] = /sk_live_\w+/.exec(answer) ?? [];
  if (token === undefined) throw new Error('the lost answer held no token');
  return token;
}
