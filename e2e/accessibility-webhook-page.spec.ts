import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { broken } from './replies.ts';
import { menuOf } from './pages/api-keys.ts';
import { expectAccessible } from './pages/every-look.ts';
import { mainAct, openWebhook, openWebhooks } from './pages/webhooks.ts';

test.skip(isRemote, 'answers in the place of the API');
// Each look is judged four times.
test.slow();

const one = /^\/api\/v1\/webhooks\/[^/]+$/;
const long = `https://hooks.example.com/${'a-long-part-of-an-address/'.repeat(6)}inbound`;

test('a webhook’s page is accessible, well, with its menu, and with two secrets', async ({
  api,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: long, isActive: true, hasSecret: true });
  await openWebhook(page, webhook);
  await expectAccessible(page, 'webhook');
  await menuOf(page, webhook.name).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'webhook with a menu');
  await api.post(`/api/v1/webhooks/${webhook.uuid}/regenerate-secret`, { data: {} });
  await page.reload();
  await expect(page.getByText(/^The previous secret signs until/)).toBeVisible();
  await expectAccessible(page, 'webhook with two secrets');
});

test('a webhook’s page is accessible while something asks for someone', async ({
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook();
  await openWebhook(page, webhook);
  await expect(page.getByText('The set-up is not finished')).toBeVisible();
  await expectAccessible(page, 'unfinished');
  for (const [what, over] of Object.entries(states)) {
    between.answer('GET', one, async ({ pass }) => {
      const reply = await pass();
      const { data } = reply.body as { data: object };
      return { ...reply, body: { success: true, data: { ...data, ...over } } };
    });
    await page.reload();
    await expect(page.getByText(/^(Deactivated|Failing) since \d/)).toBeVisible();
    await expectAccessible(page, what);
  }
});

const states = {
  'deactivated, and nobody has its secret': {
    is_active: false,
    status: 'deactivated',
    inactive_since: '2026-11-16T07:41:00.000+00:00',
    inactive_reason: 'gone',
    failure_count: 12,
  },
  failing: {
    is_active: true,
    status: 'active',
    failure_count: 12,
    failing_since: '2026-11-16T07:41:00.000+00:00',
  },
};

test('the question before resuming is accessible, with a choice and without', async ({
  api,
  between,
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: long, isActive: true, hasSecret: true });
  await api.patch(`/api/v1/webhooks/${webhook.uuid}`, { data: { is_active: false } });
  between.answer('POST', /\/replays$/, () => ({
    status: 200,
    body: { success: true, data: { count: 1906 } },
  }));
  await openWebhook(page, webhook);
  await expectAccessible(page, 'paused');
  await mainAct(page, 'Resume').click();
  const question = page.getByRole('dialog', { name: `Resume ${webhook.name}` });
  await expect(question.getByRole('radio')).toHaveCount(2);
  await expectAccessible(page, 'resume');
  await page.keyboard.press('Escape');
  between.answer('POST', /\/replays$/, () => broken());
  await mainAct(page, 'Resume').click();
  await expect(question.getByText('could not be counted')).toBeVisible();
  await expectAccessible(page, 'resume without a number');
});

test('editing a webhook and finding none are accessible', async ({
  givenWebhook,
  guard,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ url: long });
  await page.goto(`settings/webhooks/${webhook.uuid}/edit`);
  await expectAccessible(page, 'edit webhook');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await page.getByRole('checkbox', { name: 'A message was written' }).uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'edit webhook with errors');

  await openWebhooks(page);
  await page.getByRole('searchbox', { name: 'Search webhooks' }).fill('none is called this');
  await expect(page.getByRole('heading', { name: /^No webhook matches/ })).toBeVisible();
  await expectAccessible(page, 'webhooks, none found');
  guard.allow(/status of 404/);
  await page.goto('settings/webhooks/0198c2a4-0000-7000-8000-000000000007');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await expectAccessible(page, 'no such webhook');
});
