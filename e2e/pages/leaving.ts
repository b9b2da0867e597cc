import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

export type WayOfLeaving =
  | 'Back'
  | 'a link'
  | 'the command palette'
  | 'another account'
  | 'signing out'
  | 'a reload'
  | 'closing the tab';

type Way = {
  leave: (page: Page) => Promise<void>;
  /** Whether the page itself can ask. Otherwise the browser does. */
  isInPage: boolean;
  /** The control that a modal dialog makes unreachable, if there is one. */
  closedBy?: (page: Page) => Promise<void>;
};

const ways: Record<WayOfLeaving, Way> = {
  Back: { isInPage: true, leave: async (page) => void (await page.goBack()) },
  'a link': {
    isInPage: true,
    leave: async (page) => await sideLink(page).click(),
    closedBy: async (page) => await expect(sideLink(page)).toBeHidden(),
  },
  'the command palette': {
    isInPage: true,
    async leave(page) {
      await page.keyboard.press('Control+k');
      const search = page.getByRole('combobox', { name: 'Search, or paste an ID' });
      await search.fill('Profile');
      await expect(page.getByRole('option', { name: 'Profile' })).toBeVisible();
      await search.press('Enter');
    },
    async closedBy(page) {
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Go to' })).toBeHidden();
    },
  },
  'another account': {
    isInPage: true,
    async leave(page) {
      await switcher(page).click();
      await page.getByRole('menuitemradio', { name: otherAccount }).click();
    },
    closedBy: async (page) => await expect(switcher(page)).toBeHidden(),
  },
  'signing out': {
    isInPage: true,
    async leave(page) {
      await personMenu(page).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
    closedBy: async (page) => await expect(personMenu(page)).toBeHidden(),
  },
  // After the call has returned, because the browser's question would block the call forever.
  'a reload': {
    isInPage: false,
    leave: async (page) =>
      await page.evaluate(() => void requestAnimationFrame(() => window.location.reload())),
  },
  'closing the tab': {
    isInPage: false,
    leave: async (page) => await page.close({ runBeforeUnload: true }),
  },
};

export const everyWay = Object.keys(ways) as WayOfLeaving[];

/** The account to which `another account` leads. */
export const otherAccount = 'Branch office';

/** Tries to leave, is asked, and answers. */
export async function leaveBy(
  page: Page,
  way: WayOfLeaving,
  answer: 'stay' | 'leave',
): Promise<void> {
  const { isInPage, leave } = ways[way];
  if (isInPage) {
    await leave(page);
    const question = page.getByRole('alertdialog', {
      name: /^(Leave before the (token is|signing secret is|recovery codes are) shown|Close without saving)\?$/,
    });
    const stay = question.getByRole('button', { name: /^(Stay|Keep it open)$/ });
    const proceed = question.getByRole('button', { name: /^(Leave|Close) anyway$/ });
    await (answer === 'stay' ? stay : proceed).click();
    await expect(question).toBeHidden();
    if (way === 'signing out' && answer === 'leave') await page.waitForURL('**/sign-in');
    return;
  }
  const asked = page.waitForEvent('dialog');
  await leave(page);
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  if (answer === 'stay') {
    await question.dismiss();
    // The browser ignores another attempt until the page has handled the answer.
    await page.evaluate(() => undefined);
    return;
  }
  const left =
    way === 'a reload' ? page.waitForEvent('domcontentloaded') : page.waitForEvent('close');
  await question.accept();
  await left;
}

/** Waits until the other account is open, which an action in progress would delay. */
export async function expectOtherAccount(page: Page): Promise<void> {
  await expect(switcher(page)).toContainText(otherAccount);
}

/** Whether this way of leaving works while a modal dialog is open. */
export function isOpenBehindDialogs(way: WayOfLeaving): boolean {
  return ways[way].closedBy === undefined;
}

/** Expects that a modal dialog makes this way of leaving unreachable. */
export async function expectClosed(page: Page, way: WayOfLeaving): Promise<void> {
  await ways[way].closedBy?.(page);
}

/** The sidebar's link to the list that is not open. */
function sideLink(page: Page) {
  const name = page.url().includes('/webhooks') ? 'API keys' : 'Webhooks';
  return page.getByRole('complementary').getByRole('link', { name, exact: true });
}

function switcher(page: Page) {
  return page.getByRole('button', { name: /Switch account$/ });
}

function personMenu(page: Page) {
  return page.getByRole('button', { name: /Your menu$/ });
}
