import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { test } from '../fixtures.ts';
import { mainAct, openWebhook } from '../pages/webhooks.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('on a phone, the actions of a list are on the line of its title', async ({
  signedIn: page,
}) => {
  await page.goto('settings/api-keys');
  const title = await boxOf(page.getByRole('heading', { level: 1, name: 'API keys' }));
  const action = await boxOf(page.getByRole('link', { name: 'Create key' }).first());
  expect(action.y).toBeLessThan(title.y + title.height);
});

test('on a phone, a checkbox is beside the first line of its label', async ({ signedIn: page }) => {
  await page.goto('settings/webhooks/new');
  const boxes = page.locator('input[name=events]');
  await expect(boxes.first()).toBeVisible();
  const offsets = await boxes.evaluateAll((all) =>
    all.map((box) => {
      const label = document.getElementById(box.getAttribute('aria-labelledby') ?? '');
      const line = label?.getClientRects()[0];
      const middleOf = ({ top, height }: DOMRect) => top + height / 2;
      return line === undefined ? null : middleOf(line) - middleOf(box.getBoundingClientRect());
    }),
  );
  for (const offset of offsets) expect(Math.abs(offset ?? Number.NaN)).toBeLessThan(3);
});

test('on a phone, a toast does not cover the buttons of a dialog', async ({
  givenWebhook,
  signedIn: page,
}) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.clock.install();
  await openWebhook(page, webhook);
  await mainAct(page, 'Pause').click();
  const toast = page.getByText(`${webhook.name} is paused`);
  await expect(toast).toBeVisible();
  // From now on its time does not pass by itself.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100));
  await page.getByRole('button', { name: `Actions for ${webhook.name}` }).click();
  await page.clock.runFor(500);
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await page.clock.runFor(500);
  const confirm = page.getByRole('alertdialog').getByRole('button', { name: /^Delete/ });
  await expect(confirm).toBeVisible();
  await expect(toast).toBeVisible();
  const isOnTop = await confirm.evaluate((button) => {
    const { left, right, top, height } = button.getBoundingClientRect();
    const at = (x: number) => document.elementFromPoint(x, top + height / 2);
    return [left + 8, (left + right) / 2, right - 8].every((x) => button.contains(at(x)));
  });
  expect(isOnTop).toBe(true);
});

test('a toast replaces the one before it', async ({ givenWebhook, signedIn: page }) => {
  const webhook = await givenWebhook({ isActive: true, hasSecret: true });
  await page.clock.install();
  await openWebhook(page, webhook);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await mainAct(page, 'Pause').click();
  const toast = page.getByText(`${webhook.name} is paused`);
  await page.clock.runFor(500);
  await expect(toast).toBeVisible();
  await mainAct(page, 'Resume').first().click();
  await page.clock.runFor(500);
  await expect(page.getByText(`${webhook.name} is active`)).toBeVisible();
  await expect(toast).toBeHidden();
});

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
}
