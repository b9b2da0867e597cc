import { expect } from '@playwright/test';
import { signIn } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('after ten tries in a minute the eleventh must wait, but not in a browser that was signed in before', async ({
  page,
  request,
  service,
  session,
}) => {
  await page.goto('/sign-in');
  const password = page.getByRole('textbox', { name: 'Password' });
  await signIn(page, { ...service.owner, password: 'not the password' });
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    const response = await request.post('/api/dashboard/session', {
      headers: {
        Authorization: `Bearer ${service.credential}`,
        'X-Dashboard-Client': '127.0.0.1 the test',
      },
      data: { ...service.owner, password: 'not the password' },
    });
    expect(response.status(), `attempt ${attempt}`).toBe(422);
  }
  await signIn(page, service.owner);

  await expect(page.getByText(/^Too many requests\. Try again in \d/).first()).toBeVisible();
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(/Try again in \d+ s/);
  await expect(password).toHaveValue(service.owner.password);
  await expect(page).toHaveURL('/sign-in');

  // The cookies of an earlier session.
  await page.context().addCookies(session.filter(({ name }) => name === 'device'));
  await page.reload();
  await signIn(page, service.owner);
  await page.waitForURL('**/settings/api-keys');
});
