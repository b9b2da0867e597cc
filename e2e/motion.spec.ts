import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { menuOf, openApiKeys } from './pages/api-keys.ts';
import { secretDialog } from './pages/secret-dialog.ts';

for (const [wish, promise] of [
  ['reduce', 'nothing moves or fades'],
  ['no-preference', 'the same things do move, so that the other test could fail'],
] as const) {
  test.describe(`asked for ${wish}`, () => {
    test.use({ contextOptions: { reducedMotion: wish } });

    test(`${promise}: skeletons, menus, dialogs, the one-time dialog`, async ({
      givenApiKey,
      signedIn: page,
    }) => {
      const { name } = await givenApiKey();
      await openApiKeys(page);
      // The skeletons of the pages it links to are there by then.
      await page.waitForLoadState('networkidle');
      const moving: string[] = [];
      const seeMore = async () => void moving.push(...(await page.evaluate(whatMoves)));

      const release = await holdNavigation(page);
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await expect(page.getByRole('table', { name: /webhooks/i })).toHaveAttribute(
        'aria-busy',
        'true',
      );
      await seeMore();
      release();

      await openApiKeys(page);
      await menuOf(page, name).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await seeMore();
      await page.getByRole('menuitem', { name: 'Rotate token' }).click();
      const question = page.getByRole('dialog', { name: `Rotate ${name}` });
      await expect(question).toBeVisible();
      await seeMore();
      await question.getByRole('button', { name: `Rotate ${name}`, exact: true }).click();
      await expect(secretDialog(page).value).toBeVisible();
      await seeMore();

      if (wish === 'reduce') expect([...new Set(moving)]).toEqual([]);
      else expect(moving.length).toBeGreaterThan(10);
    });
  });
}

/** What of the page, its pseudo-elements included, would take time to change or is changing. */
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

/** Lets pages that are gone to wait, their skeletons shown, until told. */
async function holdNavigation(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.searchParams.has('_rsc'),
    async (route) => {
      const isPrefetch = route.request().headers()['next-router-prefetch'] !== undefined;
      if (!isPrefetch) await promise;
      await route.continue().catch(() => undefined);
    },
  );
  return resolve;
}
