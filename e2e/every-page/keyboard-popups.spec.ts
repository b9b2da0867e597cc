import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { isRemote, test as base } from '../fixtures.ts';
import { openApiKeys } from '../pages/api-keys.ts';
import { addMember, pageOf } from '../pages/people/members.ts';

/** The dialog in which a member with the role support chooses between two whom they can ask. */
const test = base.extend<{ rotationRequest: Page }>({
  rotationRequest: async ({ browser, givenApiKey, service }, use) => {
    base.skip(isRemote, 'adds members');
    const key = await givenApiKey();
    await addMember(service, { name: 'ann', role: 'admin' });
    const sam = await addMember(service, { name: 'sam', role: 'support' });
    const address = `settings/api-keys/${key.uuid}`;
    const page = await pageOf(browser, service, { ...sam, address });
    await page.getByRole('button', { name: 'Request rotation' }).click();
    await expect(page.getByRole('combobox', { name: 'Ask' })).toHaveText('Choose');
    await use(page);
  },
});

// The focus must move correctly however long a popup takes to appear or disappear.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('letters choose an option of a closed select, and Alt with an arrow key opens it', async ({
  signedIn: page,
}) => {
  await openApiKeys(page);
  const status = page.getByRole('combobox', { name: 'Status' });
  const list = page.getByRole('listbox');
  await expect(status).toHaveText('Status Any');

  await status.focus();
  await page.keyboard.type('rev');
  await expect(status).toHaveText('Status Revoked');
  await expect(list).toBeHidden();
  await expect(status).toBeFocused();

  for (const key of ['Alt+ArrowDown', 'Alt+ArrowUp']) {
    await status.press(key);
    await expect(list.getByRole('option', { name: 'Revoked' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(status).toBeFocused();
  }
});

test('arrow keys open a field that searches its options at the first, the last or the chosen one', async ({
  rotationRequest: page,
}) => {
  const field = page.getByRole('combobox', { name: 'Ask' });
  const search = page.getByRole('combobox', { name: 'Find a member' });
  const options = page.getByRole('option');

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

test('Enter opens a field that searches its options at the first one; Tab leaves it for what follows, and Shift+Tab for the field', async ({
  rotationRequest: page,
}) => {
  const field = page.getByRole('combobox', { name: 'Ask' });
  const search = page.getByRole('combobox', { name: 'Find a member' });
  const following = page.getByRole('radio', { name: 'The token may have leaked' });

  await field.press('Enter');
  await expect(search).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(search).toBeHidden();
  await expect(following).toBeFocused();

  await field.press('Enter');
  await expect(search).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(search).toBeHidden();
  await expect(field).toBeFocused();
  await expect(field).toHaveText('Choose');

  await field.press('Enter');
  await expectHighlighted(page, /^ada/);
  await page.keyboard.press('Enter');
  await expect(field).toHaveText('ada');
});

/** Expects that Enter would choose this option. */
async function expectHighlighted(page: Page, name: RegExp): Promise<void> {
  const id = await page.getByRole('option', { name }).getAttribute('id');
  await expect(page.getByRole('combobox', { name: /^Find / })).toHaveAttribute(
    'aria-activedescendant',
    id ?? 'an id',
  );
}
