import { expect } from '@playwright/test';
import { isRemote, test } from './fixtures.ts';
import { menuOf, openApiKeys } from './pages/api-keys.ts';
import { secretDialog } from './pages/secret-dialog.ts';

test.skip(isRemote, 'answers in the place of the API');

for (const [wish, promise] of [
  ['reduce', 'nothing moves or fades'],
  ['no-preference', 'the same things do move, so that the other test could fail'],
] as const) {
  test.describe(`asked for ${wish}`, () => {
    test.use({ contextOptions: { reducedMotion: wish } });

    test(`${promise}: skeletons, menus, dialogs, the one-time dialog`, async ({
      between,
      givenApiKey,
      signedIn: page,
    }) => {
      const { name } = await givenApiKey();
      await openApiKeys(page);
      const moving: string[] = [];
      const seeMore = async () => void moving.push(...(await page.evaluate(whatMoves)));

      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      between.answer('GET', /^\/api\/v1\/webhooks\?/, async ({ pass }) => {
        await isReleased;
        return await pass();
      });
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
