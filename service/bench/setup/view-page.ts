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
  const answer = await fetch(page, {
    redirect: 'manual',
    headers: { Accept: 'text/html', Cookie: `session=${encodeURIComponent(session)}` },
  });
  const html = await answer.text();
  if (answer.status !== 200 || !html.endsWith('</html>')) {
    throw new Error(`${page.href} answered ${answer.status}`);
  }
}

async function read(answer: Response): Promise<Record<string, unknown>> {
  if (!answer.ok) throw new Error(`${answer.url}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Record<string, unknown> }).data;
}
