import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { isRemote } from '../fixtures.ts';
import { actionIds } from '../helpers/action-ids.ts';
import { newToken, startServer } from '../helpers/server.ts';

test.skip(isRemote, 'starts a service of its own');
test.setTimeout(300_000);

test('behind a proxy with HTTPS, an action works on every page, even if another page contains it', async () => {
  const host = 'dashboard.example.com';
  const email = 'ida@example.com';
  const password = newToken();
  const server = await startServer({
    INIT_ADMIN_EMAIL: email,
    INIT_ADMIN_PASSWORD: password,
    PUBLIC_URL: `https://${host}`,
  });
  try {
    const { signIn: id = '' } = await actionIds();
    for (const path of ['/sign-in', '/forgot-password']) {
      const sent = request(`${server.origin}${path}`, {
        method: 'POST',
        headers: {
          Host: host,
          Origin: `https://${host}`,
          'Sec-Fetch-Site': 'same-origin',
          'Next-Action': id,
          'Content-Type': 'text/plain;charset=UTF-8',
          Accept: 'text/x-component',
        },
      }).end(JSON.stringify([{ email, password }]));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect(await text(response), path).toContain('"ok":true');
    }
  } finally {
    await server.destroy();
  }
});
