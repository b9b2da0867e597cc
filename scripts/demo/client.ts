/** Calls the API with one key, like any client. */
export type Client = <Data>(method: string, path: string, body?: object) => Promise<Data>;

/** @throws Error with the response if the call fails, because the demo cannot recover then */
export function createClient(origin: string, token: string): Client {
  return async <Data>(method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${method} ${path} got the status ${response.status}: ${text}`);
    // Failed calls have thrown above; the contract describes successful responses.
    return (text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data) as Data;
  };
}
