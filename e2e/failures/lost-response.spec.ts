import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import {
  bearer,
  choose,
  openRegeneration,
  openRotation,
  openWebhooks,
  readData,
  readSecretOnce,
  readWebhook,
  rowOf,
  secretDialog,
  statusOf,
  submitWebhook,
} from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { loseNextResponse, tokenIn } from '../pages/hold-next-response.ts';

// The journey of the support role loses the response to a rotation on request.
test.beforeEach(({ guard }) => {
  guard.allow(/request failed \(net::ERR_FAILED\): POST|Failed to load resource: net::ERR_FAILED/);
});

test('after a lost response, a second press shows a token, and the token nobody saw no longer works', async ({
  api,
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const { question, rotate, lost } = await rotateWithoutResponse(page, key.name);

  const refusal = question.getByRole('alert');
  const unseen = tokenIn(await lost.response);
  await expect(secretDialog(page).root).toBeHidden();
  // The dialog has read the key again: it was rotated. Nothing else in it says otherwise.
  await expect(refusal).toContainText(
    `${key.name} was rotated, but the response with its new token was lost`,
  );
  await expect(refusal).toContainText(`Nobody saw …${unseen.slice(-4)}`);
  await expect(question).not.toContainText('was shown to');
  await expect(question).not.toContainText('We could not confirm');
  const [state] = await keysNamed(api, key.name);
  expect(state?.last_four).toBe(unseen.slice(-4));
  const end = state?.previous_token?.valid_until;
  expect(end).toBeDefined();

  await rotate.click();
  const token = await readSecretOnce(page);
  expect(token).not.toBe(unseen);
  expect(await statusOf(request, token)).toBe(200);
  expect(await statusOf(request, unseen)).toBe(401);
  const byOld = await request.get('/api/v1/api-key', { headers: bearer(key.token) });
  expect(byOld.status()).toBe(200);
  expect(byOld.headers()['api-key-expires']).toBeDefined();
  const [after] = await keysNamed(api, key.name);
  expect(after?.previous_token).toMatchObject({
    last_four: key.token.slice(-4),
    valid_until: end,
  });
  expect(await auditedOf(api, key.name)).toEqual([
    'api_key.created',
    'api_key.rotated',
    'api_key.token_replaced',
    'api_key.token_confirmed',
  ]);
});

test('after a lost response a token already in use is not replaced, and a revocation shows its outcome', async ({
  givenApiKey,
  request,
  signedIn: page,
}) => {
  const key = await givenApiKey();
  const { name } = await givenApiKey();
  const { question, rotate, lost } = await rotateWithoutResponse(page, key.name);
  const unseen = tokenIn(await lost.response);
  await expect(question.getByRole('alert')).toContainText(`${key.name} was rotated`);
  expect(await statusOf(request, unseen)).toBe(200);

  await rotate.click();
  await expect(question.getByRole('alert')).toContainText(`${key.name} was already rotated`);
  // The dialog has read the key again, and its buttons no longer move.
  const unseenRow = question.getByRole('listitem').filter({ hasText: unseen.slice(-4) });
  await expect(unseenRow).toContainText('Last used');
  await rotate.click();
  const token = await readSecretOnce(page);
  expect(await statusOf(request, token)).toBe(200);
  expect(await statusOf(request, unseen)).toBe(200);

  await choose(page, name, `Revoke ${name}`);
  const revocation = page.getByRole('alertdialog', { name: `Revoke ${name}`, exact: true });
  const { response } = await loseNextResponse(page);
  await revocation.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
  await expect(revocation).toContainText('We could not confirm whether this was done');
  await response;
  await revocation.getByRole('button', { name: 'Cancel' }).click();
  await expect(rowOf(page, name)).toContainText('Revoked');
});

test('a key whose creation got no response is created once: the second press gives its token', async ({
  api,
  named,
  request,
  signedIn: page,
}) => {
  const name = named('Made once');
  await page.clock.install();
  await page.goto('settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('radio', { name: 'Bot' }).check();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  await page.getByRole('radio', { name: '30 days' }).check();
  const create = page.getByRole('button', { name: 'Create key' });
  const lost = await loseNextResponse(page);
  await create.click();
  await expect(page.getByText('We could not confirm whether the key was created')).toBeVisible();
  await expect(page.getByText(/Press “Create key” again without changing anything/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await expect(page.getByRole('radio', { name: 'Bot' })).toBeChecked();
  const unseen = tokenIn(await lost.response);
  const [made] = await keysNamed(api, name);
  expect(made?.last_four).toBe(unseen.slice(-4));

  // The key was read again, and it is no second key of that name unless the form is changed.
  const warning = page.getByText(`You already have an active key named ${name}`);
  await expect(warning).toBeHidden();
  await page.getByRole('checkbox', { name: 'Write messages' }).uncheck();
  await expect(warning).toBeVisible();
  await page.getByRole('checkbox', { name: 'Write messages' }).check();
  await expect(warning).toBeHidden();

  // By then, 30 days from now are another minute, but the key is still the one that was created.
  await page.clock.fastForward('03:00');
  await create.click();
  const token = await readSecretOnce(page);
  expect(token).not.toBe(unseen);
  expect(await keysNamed(api, name)).toMatchObject([
    { uuid: made?.uuid, last_four: token.slice(-4), expires_at: made?.expires_at },
  ]);
  expect(await statusOf(request, token)).toBe(200);
  expect(await statusOf(request, unseen)).toBe(401);
});

test('after a lost response a changed form creates another key, and a used key is not created twice', async ({
  api,
  named,
  request,
  signedIn: page,
}) => {
  const [name, other] = [named('First'), named('Changed')];
  await page.goto('settings/api-keys/new');
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill(name);
  await page.getByRole('radio', { name: 'Full', exact: true }).check();
  const create = page.getByRole('button', { name: 'Create key' });
  const first = await loseNextResponse(page);
  await create.click();
  await first.response;
  const isUnknown = page.getByText('We could not confirm whether the key was created');
  await expect(isUnknown).toBeVisible();

  await field.fill(other);
  const second = await loseNextResponse(page);
  await create.click();
  const unseen = tokenIn(await second.response);
  await expect(create).not.toHaveAttribute('aria-busy');
  await expect(isUnknown).toBeVisible();
  expect(await keysNamed(api, name)).toHaveLength(1);
  expect(await keysNamed(api, other)).toHaveLength(1);

  // Nobody was shown the token. But because it was used, it must not be replaced.
  expect(await statusOf(request, unseen)).toBe(200);
  await create.click();
  await expect(page.getByText('The key was already created')).toBeVisible();
  await expect(page.getByText(/rotate it to get a token/)).toBeVisible();
  expect(await keysNamed(api, other)).toHaveLength(1);

  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Leave anyway' }).click();
  await expect(rowOf(page, other)).toContainText(unseen.slice(-4));
  await choose(page, other, 'Rotate token');
  await page.getByRole('button', { name: `Rotate ${other}`, exact: true }).click();
  const token = await readSecretOnce(page);
  expect(await keysNamed(api, other)).toMatchObject([{ last_four: token.slice(-4) }]);
});

test('a lost signing secret is replaced unless it signs already, and the old one keeps signing', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const { name, uuid } = await givenWebhook({ isActive: true, hasSecret: true });
  const before = await readWebhook(api, uuid);
  const question = await openRegeneration(page, name);
  const regenerate = question.getByRole('button', { name: 'Regenerate secret' });
  const lost = await loseNextResponse(page);
  await regenerate.click();
  await expect(question).toContainText('We could not confirm whether a new secret was created');
  await expect(question).toContainText('If one was created, it was not shown to anyone');
  const [unseen = ''] = /whsec_[\w+/=]+/.exec(await lost.response) ?? [];
  expect(unseen).toMatch(/^whsec_/);
  const { secret: lostSecret } = await readWebhook(api, uuid);

  await regenerate.click();
  const secret = await readSecretOnce(page);
  expect(secret).not.toBe(unseen);
  const after = await readWebhook(api, uuid);
  expect(after.secret.created_at).not.toBe(before.secret.created_at);
  expect(Date.parse(after.secret.previous_valid_until ?? '')).toBeGreaterThan(Date.now());
  expect(lostSecret).toMatchObject({ unconfirmed: { shown_to: { kind: 'person' } } });
  expect(after.secret).toEqual({
    ...lostSecret,
    unconfirmed: null,
    last_four: secret.slice(-4),
  });

  await choose(page, name, 'Regenerate secret');
  const again = await loseNextResponse(page);
  await regenerate.click();
  await expect(question).toContainText('We could not confirm whether a new secret was created');
  await again.response;
  await api.post(`/api/v1/webhooks/${uuid}/test`);
  await expect.poll(async () => (await readWebhook(api, uuid)).last_triggered_at).not.toBeNull();
  await regenerate.click();
  await expect(question).toContainText('A new secret was already created');
  await regenerate.click();
  await readSecretOnce(page);
  expect((await auditedOf(api, name)).slice(-7)).toEqual([
    'webhook.secret_regenerated',
    'webhook.secret_replaced',
    'webhook.secret_confirmed',
    'webhook.secret_regenerated',
    'webhook.tested',
    'webhook.secret_regenerated',
    'webhook.secret_confirmed',
  ]);
});

test('a webhook is created, set up and deleted by trying again where responses are lost, and an unconfirmed token is replaced', async ({
  api,
  givenApiKey,
  givenWebhook,
  named,
  signedIn: page,
}) => {
  const name = named('Set up');
  const unknownSecret = (of: string) =>
    page.getByText(`We could not confirm whether a new secret was created for ${of}`);
  const retry = page.getByRole('button', { name: 'Try again' });

  await test.step('the creation of a webhook, then of its secret', async () => {
    const creation = await loseNextResponse(page);
    await submitWebhook(page, { name, url: 'https://example.com/webhooks' });
    await expect(
      page.getByText('We could not confirm whether the webhook was created'),
    ).toBeVisible();
    await creation.response;
    // The first action finds the webhook, the second creates its secret.
    const secret = await loseNextResponse(page, { after: 1 });
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await expect(unknownSecret(name)).toBeVisible();
    await secret.response;
    await retry.click();
    await readSecretOnce(page);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    expect((await auditedOf(api, name)).slice(0, 3)).toEqual([
      'webhook.created',
      'webhook.secret_generated',
      'webhook.secret_replaced',
    ]);
  });

  await test.step('the end of a set-up in the list', async () => {
    const unfinished = await givenWebhook();
    await openWebhooks(page);
    const lost = await loseNextResponse(page);
    await page.getByRole('button', { name: `Finish set-up of ${unfinished.name}` }).click();
    await expect(unknownSecret(unfinished.name)).toBeVisible();
    await lost.response;
    await retry.click();
    await readSecretOnce(page);
    await expect(rowOf(page, unfinished.name)).toContainText('Active');
  });

  await test.step('its deletion', async () => {
    await choose(page, name, `Delete ${name}`);
    const question = page.getByRole('alertdialog', { name: `Delete ${name}`, exact: true });
    const deletion = await loseNextResponse(page);
    await question.getByRole('button', { name: `Delete ${name}` }).click();
    await expect(question).toContainText('We could not confirm whether this was done');
    await expect(question).toContainText('Deleting again is safe');
    await deletion.response;
    const data = await readData<object[]>(await api.get('/api/v1/webhooks'));
    expect(data).not.toContainEqual(expect.objectContaining({ name }));
    await question.getByRole('button', { name: `Delete ${name}` }).click();
    await expect(question).toBeHidden();
    await expect(rowOf(page, name)).toBeHidden();
  });

  await test.step('a new token in place of one that nobody confirmed', async () => {
    const key = await givenApiKey();
    const rotation = await rotateWithoutResponse(page, key.name);
    await rotation.lost.response;
    await expect(rotation.question.getByRole('alert')).toBeVisible();
    await rotation.question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: key.name, exact: true }).click();
    await page.getByRole('main').getByRole('button', { name: 'Show a new token' }).click();
    const question = page.getByRole('alertdialog', { name: `Show a new token of ${key.name}` });
    const show = question.getByRole('button', { name: 'Show a new token' });
    const lost = await loseNextResponse(page);
    await show.click();
    const unseen = tokenIn(await lost.response);
    // The dialog has read the key again. Nothing in it says that someone saw the token.
    await expect(question).toContainText('A new token was created, but its response was lost');
    await expect(question).not.toContainText('Shown to');
    await show.click();
    expect(await readSecretOnce(page)).not.toBe(unseen);
  });
});

type ApiKey = {
  uuid: string;
  name: string;
  expires_at: string | null;
  last_four: string;
  previous_token: { last_four: string; valid_until: string } | null;
};

/** Presses *Rotate* in the dialog of a key; the browser never receives the response. */
async function rotateWithoutResponse(page: Page, name: string) {
  const question = await openRotation(page, name);
  const rotate = question.getByRole('button', { name: `Rotate ${name}`, exact: true });
  // The preview has been read, so the rotation is the only action that follows.
  await expect(question.getByText(/Works until/)).toBeVisible();
  const lost = await loseNextResponse(page);
  await rotate.click();
  return { question, rotate, lost };
}

async function keysNamed(api: APIRequestContext, name: string): Promise<ApiKey[]> {
  const response = await api.get('/api/v1/api-keys');
  const data = await readData<ApiKey[]>(response);
  return data.filter((key) => key.name === name);
}

/** The audit entries about something with this name, in order. */
async function auditedOf(api: APIRequestContext, name: string): Promise<string[]> {
  const response = await api.get('/api/v1/audit-log?limit=100');
  type Entry = { action: string; target: { name: string } };
  const data = await readData<Entry[]>(response);
  return data
    .filter(({ target }) => target.name === name)
    .map(({ action }) => action)
    .toReversed();
}
