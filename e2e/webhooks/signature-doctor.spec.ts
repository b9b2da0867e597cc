import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import {
  expectAccessible,
  openTab,
  openWebhooks,
  writeMessage,
} from 'conversation-service-playwright-kit';
import type { ReceivedRequest } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';

test('a developer whose code verifies wrongly learns which mistake it makes', async ({
  api,
  browser,
  createWebhook,
  receiver,
  service,
  signedIn: page,
}) => {
  const { name, secret } = await createWebhook({ url: `${receiver.url}/orders` });
  await openWebhooks(page);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await openTab(page, 'Settings');
  await page.getByRole('link', { name: 'Signature doctor' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Signature doctor' })).toBeVisible();
  await expectAccessible(page, 'signature doctor');

  // Recorded: the headers are filled in once the service has sent a delivery.
  await page.getByRole('button', { name: 'Record a delivery' }).click();
  await expect(page.getByText(`Waiting for the next delivery to ${name}.`)).toBeVisible();
  await writeMessage(api, 'Where is my parcel?');
  const request = await receiver.received(1);
  await expect(page.getByRole('textbox', { name: 'Headers' })).toHaveValue(
    new RegExp(`webhook-id: ${String(request.headers['webhook-id'])}`),
  );
  await expect(page.getByText(/^Recorded message.created, attempt 1\./)).toBeVisible();

  // The receiver's code parses the body and writes it again before it verifies it.
  const { timestamp, ...others } = JSON.parse(request.body) as Record<string, unknown>;
  const rewritten = JSON.stringify({ ...others, timestamp });
  await page.getByRole('textbox', { name: /^Body/ }).fill(rewritten);
  await signatureOf(page).fill(sign(secret, request, rewritten).digest('base64'));
  await check(page);
  const finding = page.getByRole('region', { name: 'Finding' });
  await expect(
    finding.getByText('The body was re-serialized: first difference at byte 27'),
  ).toBeVisible();
  await expect(finding.getByText('timestamp moved behind data')).toBeVisible();
  await expect(page.getByRole('region', { name: 'First difference' })).toContainText('↑ 27');
  await expect(page.getByRole('region', { name: 'Fix for Express' })).toContainText('express.raw');
  await expectAccessible(page, 'signature doctor, re-serialized');

  // It reads the raw body now, and has more to mend.
  await page.getByRole('textbox', { name: /^Body/ }).fill(request.body);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mistakes: [computed: string, title: string][] = [
    [sign(secret, request).digest('hex'), 'The signature is hex, not base64'],
    [
      createHmac('sha256', secret).update(signed(request)).digest('base64'),
      'The whole secret was used as the key',
    ],
    [
      createHmac('sha256', key).update(request.body).digest('base64'),
      'The signed parts are joined wrongly',
    ],
    [sign(secret, request).digest('base64'), 'Everything matches'],
  ];
  for (const [computed, title] of mistakes) {
    await signatureOf(page).fill(computed);
    await check(page);
    await expect(finding.getByText(title, { exact: true }).first()).toBeVisible();
  }
  await expect(finding.getByText('The secret is right')).toBeVisible();
  await expectAccessible(page, 'signature doctor, matches');

  // What a proxy changed.
  await page
    .getByRole('textbox', { name: 'Headers' })
    .fill(
      `Cookie: not-sent\nwebhook-id: ${String(request.headers['webhook-id'])}\nwebhook-timestamp: 1700000000\nwebhook-signature: ${String(request.headers['webhook-signature'])}`,
    );
  await check(page);
  await expect(finding.getByText('A header is not the one that was sent')).toBeVisible();
  await page.getByRole('textbox', { name: 'Headers' }).fill('webhook-id: msg_other');
  await check(page);
  await expect(finding.getByText('There is no such delivery')).toBeVisible();

  // Nobody who may not read payloads is asked for a body.
  const viewer = await addMember(service, { name: 'vera', role: 'viewer' });
  const context = await browser.newContext({ storageState: await sessionOf(service, viewer) });
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('You can’t read payloads here')).toBeVisible();
  await expect(other.getByRole('textbox', { name: /^Body/ })).toBeHidden();
  await context.close();
});

test('a signing secret never leaves the browser', async ({
  createWebhook,
  receiver,
  signedIn: page,
}) => {
  const { name, secret } = await createWebhook({ url: `${receiver.url}/orders` });
  await openWebhooks(page);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await openTab(page, 'Settings');
  await page.getByRole('link', { name: 'Signature doctor' }).click();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  for (const field of ['Headers', /^Body/, /^Signature that/] as const) {
    await page.getByRole('textbox', { name: 'Headers' }).fill('webhook-id: msg_1');
    await page.getByRole('textbox', { name: field }).fill(`webhook-id: ${secret}`);
    await expect(page.getByText(/^This contains a signing secret\. Remove it/)).toBeVisible();
    await page.getByRole('button', { name: 'Check signature' }).click();
    await expect(page.getByRole('textbox', { name: field })).toBeFocused();
    await page.getByRole('button', { name: 'Clear' }).click();
  }
  expect(sent.filter((text) => text.includes('whsec_'))).toEqual([]);

  // Nor does a header that has nothing to do with the signature.
  await page
    .getByRole('textbox', { name: 'Headers' })
    .fill('Cookie: a-cookie\nwebhook-id: msg_1\nAuthorization: Bearer a-credential');
  await check(page);
  await expect(page.getByText('There is no such delivery')).toBeVisible();
  expect(sent.join('\n')).toContain('msg_1');
  expect(sent.filter((text) => /a-cookie|a-credential/.test(text))).toEqual([]);
  await expect(page.locator('body')).not.toContainText(/whsec_[A-Za-z0-9+/]/);
});

function signatureOf(page: Page) {
  return page.getByRole('textbox', { name: 'Signature that your code computed' });
}

async function check(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check signature' }).click();
}

function signed({ headers, body }: ReceivedRequest, text = body): string {
  return `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
}

function sign(secret: string, request: ReceivedRequest, text = request.body) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return createHmac('sha256', key).update(signed(request, text));
}
