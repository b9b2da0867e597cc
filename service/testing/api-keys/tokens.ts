import { dataOf } from '../api.ts';
import type { ApiResponse, TestApi } from '../api.ts';

/** The token that a response shows once. */
export function tokenOf(response: ApiResponse): string {
  const { token } = dataOf<{ token?: string }>(response);
  if (token === undefined) throw new Error(`no token in the response: ${response.text}`);
  return token;
}

export function lastFour(token: string): string {
  return token.slice(-4);
}

/** Calls with a token; returns the status. */
export async function statusOf(api: TestApi, token: string): Promise<number> {
  return (await api.as(token).get('/api/v1/api-key')).status;
}

export async function statusesOf(api: TestApi, tokens: readonly string[]): Promise<number[]> {
  return await Promise.all(tokens.map((token) => statusOf(api, token)));
}

/** Calls with a token that works, so that it counts as used. */
export async function useToken(api: TestApi, token: string): Promise<void> {
  if (!(await works(api, token))) throw new Error('the token does not work');
}

export async function works(api: TestApi, token: string): Promise<boolean> {
  return (await statusOf(api, token)) === 200;
}

/** Finds the last four characters of a token in a text, but not where an ID happens to have them. */
export function lastFourOutsideIds(token: string): RegExp {
  return new RegExp(`(?<![\\w-])${lastFour(token)}(?![\\w-])`);
}
