import { expect } from '@playwright/test';
import {
  bearer,
  expectAccessible,
  openApiKeys,
  readData,
  readSecretOnce,
  rowOf,
  submitRotation,
} from 'conversation-service-playwright-kit';
import { asDashboard } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';

test.use({ accountName: 'Left Ltd' });

test('the keys of which someone who left knows a token say so, also those made with such a key, until they are rotated; filters still offer that person', async ({
  givenApiKey,
  named,
  request,
  service,
  session,
  signedIn: page,
}) => {
  test.slow();
  const asOwner = { headers: asDashboard(service, session) };
  const kim = await addMember(service, { name: 'kim', role: 'admin' });
  const headers = asDashboard(service, (await sessionOf(service, kim)).cookies);
  const shown = await readData<{ token: string; uuid: string; name: string }>(
    await request.post('/api/v1/api-keys', {
      headers,
      data: { name: named('Deploy'), type: 'full' },
    }),
  );
  const made = await readData<{ uuid: string; name: string }>(
    await request.post('/api/v1/api-keys', {
      headers: bearer(shown.token),
      data: { name: named('Import'), type: 'full' },
    }),
  );
  const other = await givenApiKey();
  const members = await readData<{ id: string; name: string }[]>(
    await request.get('/api/dashboard/members', asOwner),
  );
  const id = members.find(({ name }) => name === 'kim')?.id ?? '';

  await openApiKeys(page);
  await expect(page.getByText('who left')).toHaveCount(0);
  expect((await request.delete(`/api/dashboard/members/${id}`, asOwner)).status()).toBe(204);

  await page.reload();
  for (const { name } of [shown, made]) {
    await expect(rowOf(page, name)).toContainText('Known to kim, who left');
  }
  await expect(rowOf(page, other.name)).not.toContainText('who left');
  await expectAccessible(page, 'keys known to someone who left');
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Known to someone who left' }).click();
  await expect(rowOf(page, other.name)).toBeHidden();
  await expect(rowOf(page, made.name)).toBeVisible();
  await page.getByRole('button', { name: 'More filters' }).click();
  for (const filter of ['Created by', 'Token shown to']) {
    await page.getByRole('combobox', { name: filter }).click();
    await page.getByRole('option', { name: 'kim (left)' }).click();
    await expect(rowOf(page, shown.name)).toBeVisible();
    await expect(rowOf(page, made.name)).toBeHidden();
    await page.getByRole('combobox', { name: filter }).click();
    await page.getByRole('option', { name: 'Anyone' }).click();
  }

  await page.goto(`settings/api-keys/${made.uuid}`);
  const banner = page.getByRole('main').getByText('Known to kim, who left');
  await expect(banner).toBeVisible();
  await expect(
    page.getByText(`was returned to the key ${shown.name}, of which kim knew`),
  ).toBeVisible();
  await expectAccessible(page, 'a key known to someone who left');
  await expect(page.getByRole('button', { name: `Rotate ${made.name}` })).toBeVisible();
  await submitRotation(page, made.name, 'Now');
  await readSecretOnce(page);
  await expect(rowOf(page, made.name)).not.toContainText('who left');
  await expect(rowOf(page, shown.name)).toContainText('who left');

  await page.goto('settings/audit-log');
  await page.getByRole('combobox', { name: 'Actor' }).click();
  await page.getByRole('option', { name: 'kim (left)' }).click();
  await expect(page.getByText(`created the key ${shown.name}`).first()).toBeVisible();
});
