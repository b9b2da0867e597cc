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

/** Calls with each token; returns the statuses of the responses. */
export async function statusesOf(api: TestApi, tokens: readonly string[]): Promise<number[]> {
  const responses = tokens.map((token) => api.as(token).get('/api/v1/api-key'));
  return (await Promise.all(responses)).map(({ status }) => status);
}

export async function works(api: TestApi, token: string): Promise<boolean> {
  return (await api.as(token).get('/api/v1/api-key')).status === 200;
}
