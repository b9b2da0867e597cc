import { expect } from '@playwright/test';
import { mainAct, openWebhooks, readWebhook } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { tabTo } from '../pages/checks/tab-to.ts';

// The focus must move correctly however long a dialog takes to disappear.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a webhook can be found, edited, paused and resumed by keyboard alone, and each stop on the way is seen', async ({
  api,
  apiProxy,
  givenWebhook,
  named,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({
    name: named('By keyboard'),
    isActive: true,
    hasSecret: true,
  });
  await openWebhooks(page);
  const search = page.getByRole('searchbox', { name: 'Search webhooks' });
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await search.clear();
  await page.keyboard.type(webhook.name);
  await expect(page.getByRole('row')).toHaveCount(2);
  await tabTo(page, page.getByRole('link', { name: webhook.name, exact: true }));
  await page.keyboard.press('Enter');
  // The skeleton of the page has its name as well, but no buttons.
  await expect(mainAct(page, 'Pause')).toBeVisible();

  await tabTo(page, page.getByRole('link', { name: 'Settings', exact: true }));
  await page.keyboard.press('Enter');
  const edit = page.getByRole('link', { name: 'Edit webhook' });
  // The skeleton of the tab has nothing that takes the focus.
  await expect(edit).toBeVisible();
  await tabTo(page, edit);
  await page.keyboard.press('Enter');
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeVisible();
  await tabTo(page, name);
  await page.keyboard.press('ControlOrMeta+A');
  const renamed = named('Renamed by keyboard');
  await page.keyboard.type(renamed);
  const closed = page.getByRole('checkbox', { name: 'A conversation was closed.' });
  await tabTo(page, closed);
  await page.keyboard.press('Space');
  await expect(closed).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Save changes' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: renamed, exact: true })).toBeVisible();
  await expect(edit).toBeFocused();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({
    name: renamed,
    events: ['message.created', 'conversation.closed'],
  });

  apiProxy.respondTo('GET', /\/backlog$/, () => ({
    status: 200,
    body: { success: true, data: { count: 7, failed: 0, since: null } },
  }));
  await tabTo(page, page.getByRole('link', { name: 'Overview' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, mainAct(page, 'Pause'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(mainAct(page, 'Resume')).toBeFocused();
  await expect(page.getByText(/^Paused since \d/)).toBeVisible();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Resume ${renamed}` });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(question.getByRole('radio', { name: 'Deliver them' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(question.getByRole('radio', { name: 'Skip them' })).toBeChecked();
  await tabTo(page, question.getByRole('button', { name: 'Resume and skip' }));
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(mainAct(page, 'Pause')).toBeFocused();
  expect(await readWebhook(api, webhook.uuid)).toMatchObject({ status: 'active' });
});
