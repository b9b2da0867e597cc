import { expect } from '@playwright/test';
import { openRotation, secretDialog } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('a rotation that the rate limit refuses keeps what was chosen and counts down to the next try', async ({
  control,
  givenApiKey,
  service,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await page.clock.install();
  const question = await openRotation(page, name);
  await question.getByRole('radio', { name: 'In 7 days' }).check();
  // The preview has been read, so the rotation is the only request that follows.
  await expect(question.getByText(/Works until/)).toBeVisible();
  await control.useUpCalls(service.owner);
  let sent = 0;
  page.on('request', (one) => {
    if (one.method() === 'POST') sent += 1;
  });

  const rotate = question.getByRole('button', { name: `Rotate ${name}` });
  await rotate.click();
  await expect(question.getByText(/^Too many requests\. Try again in \d+:\d\d$/)).toBeVisible();
  await expect(rotate).toHaveAttribute('aria-disabled', 'true');
  await expect(rotate).toHaveAccessibleDescription(/Try again in \d+ s/);
  await expect(question.getByRole('status').first()).toHaveText(
    /^Too many requests\. Try again in \d+ seconds\.$/,
  );
  await expect(question.getByRole('radio', { name: 'In 7 days' })).toBeChecked();
  await rotate.press('Enter');

  // As after the computer slept: the countdown skips the 5.
  const whole = await question.getByRole('status').first().innerText();
  const left = Number(/\d+/.exec(whole)?.[0]) - 3;
  await page.clock.fastForward(left * 1000);
  await expect(question.getByRole('status').first()).toHaveText(/^[1-3] seconds? left\.$/);
  await page.clock.fastForward('01:01');
  await expect(question.getByRole('status').first()).toHaveText('You can try again now.');
  await expect(rotate).not.toHaveAttribute('aria-disabled');
  expect(sent, 'nothing repeats by itself').toBe(1);
  await expect(secretDialog(page).root).toBeHidden();
});
