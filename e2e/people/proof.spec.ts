import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import {
  expectAccessible,
  givePassword,
  menuOf,
  openRotation,
  proofPrompt,
  proveIdentity,
  readData,
  readSecretOnce,
  rowOf,
  secretDialog,
} from 'conversation-service-playwright-kit';
import { asDashboard, expireProof } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { loseNextResponse } from '../pages/hold-next-response.ts';

test.beforeEach(async ({ control, guard, signedIn }) => {
  void signedIn;
  guard.allow(/status of 403/);
  await expireProof(control);
});

// `proof.test.ts` of the service has the acts that ask; each dialog and form asks in this way.
test('a rotation asks for the password, and goes on by itself with what was chosen', async ({
  api,
  givenApiKey,
  service,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const question = await openRotation(page, key.name);
  await question.getByRole('radio', { name: 'In 7 days' }).check();
  await question.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();

  const prompt = proofPrompt(page);
  const password = prompt.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('autocomplete', 'current-password');
  await expect(prompt).toContainText(service.owner.email);
  await givePassword(prompt, 'not the password');
  await expect(password).toHaveAccessibleDescription('This is not your password.');
  await expect(password).toBeFocused();
  await expectAccessible(page, 'confirm it is you, with an error', prompt);

  await givePassword(prompt, service.owner.password);
  await expect(secretDialog(page).copy).toBeFocused();
  await readSecretOnce(page);
  await expect(menuOf(page, key.name)).toBeFocused();
  // By the clock of the service, which was moved.
  const { previous_token: old } = await readKey(api, key.uuid);
  const inAWeek = new Date(old.valid_until).getUTCDate();
  await expect(rowOf(page, key.name)).toContainText(new RegExp(`Old token until ${inAWeek} `));
});

test('the password prompt changes nothing when it is closed, and slows down guessing', async ({
  givenApiKey,
  request,
  service,
  session,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const question = await openRotation(page, key.name);
  await question.getByRole('radio', { name: 'Now' }).check();
  const rotate = question.getByRole('button', { name: `Rotate ${key.name}`, exact: true });
  const prompt = proofPrompt(page);
  const password = prompt.getByRole('textbox', { name: 'Password' });
  const waysOut = ['Escape', 'Cancel', 'Close'] as const;
  for (const leave of waysOut) {
    await rotate.click();
    await expect(password).toBeFocused();
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else await prompt.getByRole('button', { name: leave }).click();
    await expect(prompt).toBeHidden();
    await expect(question.getByRole('radio', { name: 'Now' })).toBeChecked();
    await expect(question.getByRole('alert')).toBeHidden();
    await expect(rotate).toBeFocused();
    await expect(rotate).not.toHaveAttribute('aria-busy');
  }
  const bearer = { Authorization: `Bearer ${key.token}` };
  expect((await request.get('/api/v1/api-key', { headers: bearer })).status()).toBe(200);

  await rotate.click();
  await givePassword(prompt, 'not the password');
  await expect(prompt.getByText('This is not your password.')).toBeVisible();
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    const response = await request.post('/api/dashboard/session/proof', {
      headers: asDashboard(service, session),
      data: { password: 'not the password' },
    });
    expect(response.status(), `attempt ${attempt}`).toBe(422);
  }
  await givePassword(prompt, 'not the password');
  const countdown = prompt.getByText(/^Too many requests\. Try again in \d/).first();
  await expect(countdown).toBeVisible();
  await password.fill(service.owner.password);
  const confirm = prompt.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await expect(confirm).toHaveAccessibleDescription(/Try again in \d+ min/);
  await expect(password).toHaveValue(service.owner.password);
});

test('creating a key asks for the password, and keeps what was typed, even if the response is lost', async ({
  guard,
  named,
  service,
  signedIn: page,
}) => {
  const name = named('Proved');
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Bot' }).check();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  const create = page.getByRole('button', { name: 'Create key' });
  await create.click();
  await proofPrompt(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(create).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await expect(page.getByRole('checkbox', { name: 'Write messages' })).toBeChecked();

  // The response to the password is lost, and with it the session's new cookie.
  guard.allow(/net::ERR_FAILED/);
  await create.click();
  await expect(proofPrompt(page)).toBeVisible();
  const before = await page.context().cookies();
  const lost = await loseNextResponse(page);
  await givePassword(proofPrompt(page), service.owner.password);
  await expect(
    proofPrompt(page).getByText('We could not confirm whether your password was accepted'),
  ).toBeVisible();
  await lost.response;
  await page.context().addCookies(before);

  await proveIdentity(proofPrompt(page), service.owner);
  await readSecretOnce(page);
  await expect(rowOf(page, name)).toContainText('Bot');
});

async function readKey(
  api: APIRequestContext,
  uuid: string,
): Promise<{ previous_token: { valid_until: string } }> {
  const response = await api.get(`/api/v1/api-keys/${uuid}`);
  const data = await readData<{ previous_token: { valid_until: string } }>(response);
  return data;
}
