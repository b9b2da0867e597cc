import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from '../../fixtures.ts';
import { choose } from '../../pages/api-keys.ts';
import { goTo } from '../../pages/follow-sidebar-link.ts';
import { expectOnly } from './keys.ts';
import type { GivenKey } from './keys.ts';

type Lowered = {
  key: GivenKey;
  account: string;
  /** Makes the person of this page a viewer. */
  lower: () => Promise<void>;
};

export async function loseRole(page: Page, { key, account, lower }: Lowered): Promise<void> {
  await test.step('a lowered role applies from the next action on', async () => {
    await goTo(page, 'API keys');
    await choose(page, key.name, 'Rotate token');
    const question = page.getByRole('dialog', { name: `Rotate ${key.name}`, exact: true });
    // The preview has been read, so only the rotation is refused.
    await expect(question.getByText(/Works until/).first()).toBeVisible();
    await lower();
    await question.getByRole('button', { name: `Rotate ${key.name}`, exact: true }).click();
    await expect(question).toContainText(`${key.name} was not rotated`);
    await expect(question).toContainText('You do not have permission');
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('a viewer can only view, even at the URLs of forms', async () => {
    await page.goto('settings/api-keys');
    await expectOnly(page, key, {
      account,
      items: ['Copy key ID'],
      note: `Your role, Viewer, lets you view keys but not change them. An owner or an admin of ${account} can create, rotate and revoke keys.`,
    });
    await page.goto('settings/api-keys/new');
    await expect(page.getByRole('heading', { name: 'You can’t create keys' })).toBeVisible();
    await expect(page.getByText(`An owner or an admin of ${account} can.`)).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    for (const [path, title] of [
      [`settings/api-keys/${key.uuid}/edit`, 'You can’t edit keys'],
      ['settings/webhooks/new', 'You can’t create webhooks'],
    ] as const) {
      const html = await (await page.request.get(path)).text();
      expect(html, path).toContain(`>${title}<`);
      expect(html, path).not.toMatch(/<(?:input|textarea)\b/);
    }
  });
}
