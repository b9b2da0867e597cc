import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { signIn } from './pages/door.ts';

// A server apart: this uses up what an address may try in a minute.
test.use({ environment: { LOG_LEVEL: 'warn' } });
test.skip(isRemote, 'would lock out whoever shares the address');

test('after ten attempts in a minute the eleventh must wait', async ({ page, service }) => {
  await page.goto('/sign-in');
  const password = page.getByRole('textbox', { name: 'Password' });
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await signIn(page, { ...service.owner, password: 'not the password' });
    await expect(password).toHaveAttribute('aria-invalid', 'true');
    // Typing takes the complaint away, so that the next one is a new one.
    await password.fill('');
    await expect(password).not.toHaveAttribute('aria-invalid');
  }
  await signIn(page, service.owner);

  await expect(page.getByText(/^Too many requests\. Try again in \d/).first()).toBeVisible();
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(/Possible again in \d+ s/);
  await expect(password).toHaveValue(service.owner.password);
  await expect(page).toHaveURL('/sign-in');
});
