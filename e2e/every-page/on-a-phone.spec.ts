import { expect } from '@playwright/test';
import type { Locator } from '@playwright/test';
import { test } from '../fixtures.ts';

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

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('The element is not visible.');
  return box;
}
