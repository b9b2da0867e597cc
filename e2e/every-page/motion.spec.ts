import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { menuOf, openApiKeys, secretDialog } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';

test('asked for less motion, nothing moves or fades that does otherwise: skeletons, menus, dialogs, the one-time dialog', async ({
  apiProxy,
  givenApiKey,
  signedIn: page,
}) => {
  const { name } = await givenApiKey();
  await openApiKeys(page);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  apiProxy.respondTo('GET', /^\/api\/v1\/webhooks\?/, async ({ pass }) => {
    await isReleased;
    return await pass();
  });
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('table', { name: /webhooks/i })).toHaveAttribute('aria-busy', 'true');
  await expectStillIfAsked(page);
  release();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();

  await page.getByRole('link', { name: 'API keys' }).click();
  await menuOf(page, name).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectStillIfAsked(page);
  await page.getByRole('menuitem', { name: 'Rotate token' }).click();
  const question = page.getByRole('dialog', { name: `Rotate ${name}` });
  await expect(question).toBeVisible();
  await expectStillIfAsked(page);
  await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
  await expect(secretDialog(page).value).toBeVisible();
  await expectStillIfAsked(page);
});

/** With reduced motion nothing moves, and without it some of the same elements do. */
async function expectStillIfAsked(page: Page): Promise<void> {
  expect(await page.evaluate(whatMoves)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect((await page.evaluate(whatMoves)).length).toBeGreaterThan(2);
  await page.emulateMedia({ reducedMotion: 'reduce' });
}

/** The elements and pseudo-elements of the page that would animate a change or are animating. */
function whatMoves(): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll('*')) {
    for (const pseudo of [null, '::before', '::after']) {
      const { transitionDuration, animationDuration, animationName } = getComputedStyle(
        element,
        pseudo,
      );
      const takes = (durations: string) =>
        durations.split(',').some((duration) => Number.parseFloat(duration) > 0.01);
      if (takes(transitionDuration) || (animationName !== 'none' && takes(animationDuration))) {
        found.push(`${element.tagName}${pseudo ?? ''} ${element.getAttribute('class') ?? ''}`);
      }
    }
  }
  return found;
}
