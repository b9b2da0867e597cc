import type { Environment } from '../../config/environment.ts';

/** Signs the first owner in, as the dashboard does, and requests the page of all webhooks. */
export async function viewPage(
  origin: string,
  { DASHBOARD_CREDENTIAL, INIT_ADMIN_EMAIL, INIT_ADMIN_PASSWORD }: Environment,
): Promise<void> {
  const url = `${origin}/api/dashboard/session`;
  const dashboard = {
    Authorization: `Bearer ${DASHBOARD_CREDENTIAL}`,
    'Content-Type': 'application/json',
    'X-Dashboard-Client': '127.0.0.1 bench',
  };
  const body = JSON.stringify({ email: INIT_ADMIN_EMAIL, password: INIT_ADMIN_PASSWORD });
  const signedIn = await read(await fetch(url, { method: 'POST', headers: dashboard, body }));
  const session = String(signedIn['session_token']);
  const seen = await read(
    await fetch(url, { headers: { ...dashboard, 'X-Dashboard-Session': session } }),
  );
  const { id } = seen['account'] as { id: string };
  // Pages are served only under the host of PUBLIC_URL.
  const page = new URL(`/a/${id}/settings/webhooks`, origin.replace('127.0.0.1', 'localhost'));
  const response = await fetch(page, {
    redirect: 'manual',
    headers: { Accept: 'text/html', Cookie: `session=${encodeURIComponent(session)}` },
  });
  const html = await response.text();
  if (response.status !== 200 || !html.endsWith('</html>')) {
    throw new Error(`${page.href} got the status ${response.status}`);
  }
}

async function read(response: Response): Promise<Record<string, unknown>> {
  if (!response.ok) throw new Error(`${response.url}: ${await response.text()}`);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}
