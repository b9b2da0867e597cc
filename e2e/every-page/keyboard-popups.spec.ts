import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { openApiKeys } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';

// The focus must move correctly however long a popup takes to appear or disappear.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('letters choose an option of a closed select, and arrow keys open it and fields that search their options, which Tab leaves for what follows', async ({
  context,
  givenApiKey,
  page,
  service,
}) => {
  const key = await givenApiKey();
  await addMember(service, { name: 'ann', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await context.addCookies((await sessionOf(service, sam)).cookies);
  await openApiKeys(page);

  await test.step('letters choose an option of a closed select, and Alt with an arrow key opens it', async () => {
    const status = page.getByRole('combobox', { name: 'Status' });
    const list = page.getByRole('listbox');
    await expect(status).toHaveText('Status Any');

    await status.focus();
    await page.keyboard.type('rev');
    await expect(status).toHaveText('Status Revoked');
    await expect(list).toBeHidden();
    await expect(status).toBeFocused();

    for (const pressed of ['Alt+ArrowDown', 'Alt+ArrowUp']) {
      await status.press(pressed);
      await expect(list.getByRole('option', { name: 'Revoked' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(list).toBeHidden();
      await expect(status).toBeFocused();
    }
    await page.keyboard.type('any');
    await expect(status).toHaveText('Status Any');
  });

  // The dialog in which a member with the role support chooses between two whom they can ask.
  await page.getByRole('link', { name: key.name, exact: true }).click();
  await page.getByRole('button', { name: 'Request rotation' }).click();
  const field = page.getByRole('combobox', { name: 'Ask' });
  const search = page.getByRole('combobox', { name: 'Find a member' });
  const options = page.getByRole('option');
  const following = page.getByRole('radio', { name: 'The token may have leaked' });
  await expect(field).toHaveText('Choose');

  await test.step('Enter opens a field that searches its options at the first one; Tab leaves it for what follows, and Shift+Tab for the field', async () => {
    await field.press('Enter');
    await expect(search).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(search).toBeHidden();
    await expect(following).toBeFocused();

    await field.press('Enter');
    await expect(search).toBeFocused();
    await expectHighlighted(page, /^ada/);
    await page.keyboard.press('Shift+Tab');
    await expect(search).toBeHidden();
    await expect(field).toBeFocused();
    await expect(field).toHaveText('Choose');
  });

  await test.step('arrow keys open it at the first, the last or the chosen one', async () => {
    await field.press('ArrowUp');
    await expect(search).toBeFocused();
    await expectHighlighted(page, /^ann/);
    await page.keyboard.press('Escape');
    await expect(search).toBeHidden();
    await expect(field).toBeFocused();

    await field.press('ArrowDown');
    await expect(search).toBeFocused();
    await expect(options).toHaveText([/^ada/, /^ann/]);
    await expectHighlighted(page, /^ada/);
    await page.keyboard.press('ArrowDown');
    await expectHighlighted(page, /^ann/);
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await expect(field).toHaveText('ann');

    await field.press('ArrowDown');
    await expectHighlighted(page, /^ann/);
    await page.keyboard.press('Enter');
    await expect(field).toHaveText('ann');
  });
});

/** Expects that Enter would choose this option. */
async function expectHighlighted(page: Page, name: RegExp): Promise<void> {
  const id = await page.getByRole('option', { name }).getAttribute('id');
  await expect(page.getByRole('combobox', { name: /^Find / })).toHaveAttribute(
    'aria-activedescendant',
    id ?? 'an id',
  );
}
