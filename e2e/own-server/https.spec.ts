import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import type { Response } from '@playwright/test';
import {
  awaitHydration,
  newToken,
  readRecoveryCodes,
  setUpApp,
  signIn,
  signOut,
} from 'conversation-service-playwright-kit';
import type { Person, Server } from 'conversation-service-playwright-kit';
import { actionIds } from '../helpers/action-ids.ts';
import { startHttpsProxy } from '../helpers/servers/https-proxy.ts';
import { startServer } from '../helpers/servers/server.ts';

test.setTimeout(300_000);

test('with HTTPS, every cookie is Secure, scripts can read only that of the theme, and an action works on every page, even if another page contains it', async ({
  browser,
}) => {
  const person = { email: 'ida@example.com', password: newToken() };
  let port = 0;
  const proxy = await startHttpsProxy(() => port);
  const server = await startServer({
    INIT_ADMIN_EMAIL: person.email,
    INIT_ADMIN_PASSWORD: person.password,
    PUBLIC_URL: proxy.origin,
  });
  const context = await browser.newContext({ ignoreHTTPSErrors: true, baseURL: proxy.origin });
  awaitHydration(context);
  try {
    // The proxy does not know the port yet: the service must not send the action to its public URL.
    await expectActionsOnEveryPage(server, { publicUrl: proxy.origin, person });
    port = Number(new URL(server.origin).port);
    const page = await context.newPage();
    const lines: string[] = [];
    const record = async (response: Response) => {
      lines.push(...(await response.headerValues('set-cookie')));
    };
    // Closing the page breaks off its last reads.
    page.on('response', (response) => void record(response).catch(() => undefined));
    await page.goto('/sign-in');
    await signIn(page, person);
    await page.waitForURL('**/settings/api-keys');
    await page.getByRole('button', { name: /Your menu$/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Security' }).click();
    await setUpApp(page);
    const [recoveryCode = ''] = await readRecoveryCodes(page);
    const signedIn = await context.cookies();
    await signOut(page);
    await signIn(page, person);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    const pending = await context.cookies();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/settings/api-keys');

    const kept = new Map([...signedIn, ...pending].map((cookie) => [cookie.name, cookie]));
    const hostOnly = { domain: 'localhost', path: '/', secure: true };
    const unreadable = { ...hostOnly, httpOnly: true };
    expect(Object.fromEntries(kept)).toEqual({
      '__Host-device': expect.objectContaining({ ...unreadable, sameSite: 'Strict' }),
      '__Host-pending-sign-in': expect.objectContaining({ ...unreadable, sameSite: 'Strict' }),
      '__Host-session': expect.objectContaining({ ...unreadable, sameSite: 'Lax' }),
      theme: expect.objectContaining({ ...hostOnly, httpOnly: false, sameSite: 'Lax' }),
    });
    // Those that delete a cookie as well, which no browser keeps.
    expect(lines.filter((line) => /^__Host-\S+=;/.test(line)).length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatch(/^__Host-(?:device|pending-sign-in|session)=/);
      const attributes = line.toLowerCase().split('; ');
      expect(attributes).toEqual(expect.arrayContaining(['path=/', 'secure', 'httponly']));
      expect(attributes.some((attribute) => attribute.startsWith('samesite='))).toBe(true);
      expect(attributes.some((attribute) => attribute.startsWith('domain='))).toBe(false);
    }
  } finally {
    await context.close();
    await proxy.close();
    await server.destroy();
  }
});

/** Sends the action to sign in to two pages, as the proxy would. */
async function expectActionsOnEveryPage(
  server: Server,
  { publicUrl, person }: { publicUrl: string; person: Person },
): Promise<void> {
  const { signIn: id = '' } = await actionIds();
  for (const path of ['/sign-in', '/forgot-password']) {
    const sent = request(`${server.origin}${path}`, {
      method: 'POST',
      headers: {
        Host: new URL(publicUrl).host,
        Origin: publicUrl,
        'Sec-Fetch-Site': 'same-origin',
        'Next-Action': id,
        'Content-Type': 'text/plain;charset=UTF-8',
        Accept: 'text/x-component',
      },
    }).end(JSON.stringify([{ body: person }]));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(await text(response), path).toContain('"ok":true');
  }
}
