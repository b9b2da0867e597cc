/** Calls the API as any client does, with one key. */
export type Client = <Data>(method: string, path: string, body?: object) => Promise<Data>;

/** @throws Error with the answer, if it is no success: the demo has nothing to mend then */
export function createClient(origin: string, token: string): Client {
  return async <Data>(method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    // A refusal was thrown above; what the API answers is its contract's.
    return (text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data) as Data;
  };
}
