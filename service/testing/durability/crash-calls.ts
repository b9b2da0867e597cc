/** There was no response, or not a complete one. */
export class Unreachable extends Error {}

/** @throws Unreachable */
export async function send(
  url: string,
  init: RequestInit,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new Unreachable(`no response from ${url}`, { cause: error });
  }
}

/** The status of a call with this token. */
export async function statusOf(origin: string, token: string): Promise<number> {
  const { status } = await send(`${origin}/api/v1/api-key`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return status;
}
