import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { test } from './fixtures.ts';
import { choose, rowOf } from './pages/api-keys.ts';
import { readSecretOnce, secretDialog } from './pages/secret-dialog.ts';
import { openRegeneration, openWebhooks } from './pages/webhooks.ts';

test('a new secret leaves the old one its time, which the dialog and the list tell', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const question = await openRegeneration(page, name);
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  const ends = question.getByRole('group', { name: 'The old secret ends' });
  await ends.getByRole('radio', { name: 'In 1 hour' }).check();
  await expect(ends).toHaveAccessibleDescription(/both secrets sign/);
  await question.getByRole('button', { name: 'Regenerate secret' }).click();

  await expect(secretDialog(page).value).toHaveValue(/^whsec_/);
  const { previous_valid_until: end } = await secretOf(api, uuid);
  expect((Date.parse(end ?? '') - Date.now()) / 60_000).toBeCloseTo(60, -1);
  await expect(
    secretDialog(page)
      .root.getByRole('time')
      .and(page.locator(`[datetime="${end}"]`)),
  ).toBeVisible();

  expect(await readSecretOnce(page)).toMatch(/^whsec_[A-Za-z0-9+/]{42,}=*$/);
  await expect(rowOf(page, name)).toContainText(/Old secret until \d/);
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeFocused();
});

test('regenerated with "Now", the old secret ends at once', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const question = await openRegeneration(page, name);
  await question.getByRole('radio', { name: 'Now' }).check();
  await question.getByRole('button', { name: 'Regenerate secret' }).click();
  await readSecretOnce(page);
  expect(await secretOf(api, uuid)).toMatchObject({ previous_valid_until: null });
});

test('a webhook whose secret nobody was shown says so, and is offered one, with no old one to end', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true });
  expect(await secretOf(api, uuid)).toMatchObject({ was_shown: false });
  await openWebhooks(page);
  await expect(rowOf(page, name)).toContainText('Secret never shown');
  await choose(page, name, 'Generate secret');
  const question = page.getByRole('dialog', { name: `Generate secret of ${name}` });
  await expect(question.getByRole('radio')).toHaveCount(0);
  await question.getByRole('button', { name: 'Generate secret' }).click();
  expect(await readSecretOnce(page)).toMatch(/^whsec_/);
  await expect(rowOf(page, name)).not.toContainText('Secret never shown');
  expect(await secretOf(api, uuid)).toMatchObject({ was_shown: true, previous_valid_until: null });
});

type SecretState = {
  created_at: string | null;
  was_shown: boolean;
  previous_valid_until: string | null;
};

async function secretOf(api: APIRequestContext, uuid: string): Promise<SecretState> {
  const answer = await api.get(`/api/v1/webhooks/${uuid}`);
  const { data } = (await answer.json()) as { data: { secret: SecretState } };
  return data.secret;
}
