import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { choose, menuOf, rowOf } from '../pages/api-keys.ts';
import { expectAccessible, expectVariantAccessible } from '../pages/every-look.ts';
import { readSecretOnce, secretDialog } from '../pages/secret-dialog.ts';
import { openWebhooks, readWebhook } from '../pages/webhooks.ts';

test('in the list a secret is generated, replaced with time for the old one, and replaced at once', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true });
  const secretOf = async () => (await readWebhook(api, uuid)).secret;
  expect(await secretOf()).toMatchObject({ was_shown: false });
  await openWebhooks(page);

  await test.step('one that nobody was shown has no old one to end', async () => {
    await expect(rowOf(page, name)).toContainText('Secret never shown');
    await choose(page, name, 'Generate secret');
    const question = page.getByRole('dialog', { name: `Generate secret of ${name}` });
    await expect(question.getByRole('radio')).toHaveCount(0);
    await question.getByRole('button', { name: 'Generate secret' }).click();
    expect(await readSecretOnce(page)).toMatch(/^whsec_/);
    await expect(rowOf(page, name)).not.toContainText('Secret never shown');
    expect(await secretOf()).toMatchObject({ was_shown: true, previous_valid_until: null });
  });

  const question = page.getByRole('dialog', { name: `Regenerate secret of ${name}`, exact: true });
  await test.step('the old one keeps its time, which the dialog and the list show', async () => {
    await choose(page, name, 'Regenerate secret');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page, 'regenerate', question);
    const ends = question.getByRole('group', { name: 'The old secret ends' });
    await ends.getByRole('radio', { name: 'In 1 hour' }).check();
    await expect(ends).toHaveAccessibleDescription(/both secrets sign/);
    await question.getByRole('button', { name: 'Regenerate secret' }).click();

    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    const { previous_valid_until: end } = await secretOf();
    expect((Date.parse(end ?? '') - Date.now()) / 60_000).toBeCloseTo(60, -1);
    const shown = dialog.root.getByRole('time').and(page.locator(`[datetime="${end}"]`));
    await expect(shown).toBeVisible();
    expect(await readSecretOnce(page)).toMatch(/^whsec_[A-Za-z0-9+/]{42,}=*$/);
    await expect(rowOf(page, name)).toContainText(/Old secret until \d/);
    await expect(menuOf(page, name)).toBeFocused();
  });

  await test.step('with "Now" the old one ends at once', async () => {
    await choose(page, name, 'Regenerate secret');
    await question.getByRole('radio', { name: 'Now' }).check();
    await question.getByRole('button', { name: 'Regenerate secret' }).click();
    await readSecretOnce(page);
    expect(await secretOf()).toMatchObject({ previous_valid_until: null, unconfirmed: null });
  });

  await test.step('one that nobody confirmed is shown as such, until its person says that they have it', async () => {
    await choose(page, name, 'Regenerate secret');
    await question.getByRole('button', { name: 'Regenerate secret' }).click();
    const dialog = secretDialog(page);
    await expect(dialog.value).toHaveValue(/^whsec_/);
    await dialog.close.click();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await expect(rowOf(page, name)).toContainText('Nobody confirmed the secret');
    await page.getByRole('link', { name, exact: true }).click();
    const panel = page.getByRole('region', { name: 'Nobody confirmed having the signing secret' });
    await expect(panel.getByRole('button', { name: 'Show a new one' })).toBeVisible();
    await expectVariantAccessible(page, 'webhook with an unconfirmed secret');
    await panel.getByRole('button', { name: 'I have this secret' }).click();
    await expect(panel).toBeHidden();
    expect(await secretOf()).toMatchObject({ was_shown: true, unconfirmed: null });
  });
});
