import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, writeMessage } from 'conversation-service-playwright-kit';
import { askOwnerForRotation } from '../helpers/as-dashboard.ts';
import { test } from '../fixtures.ts';
import { addAccounts, addMember, sessionOf } from '../pages/people/members.ts';
import { broken } from '../helpers/error-responses.ts';

test('the support desk looks up a typed token once it is whole, keeps and searches for no part of it, and shows only the results of the latest search', async ({
  apiProxy,
  givenApiKey,
  guard,
  named,
  service,
  signedIn: page,
}) => {
  guard.allow(/status of 500/);
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  const key = await givenApiKey();
  const { token } = key;
  const other = named('Unknown');
  await page.goto('/support');
  const main = page.getByRole('main');
  const box = main.getByRole('textbox', { name: 'Search all accounts' });
  const refusal = main.getByText('This is part of a token');
  const clear = main.getByRole('button', { name: 'Clear search' });

  await test.step('a token that is typed is looked up once it is whole, and no part of it stays in the box or is searched for', async () => {
    await expect(clear).toBeHidden();
    const searches: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') searches.push(request.postData() ?? '');
    });
    await expect(box).toBeFocused();
    await page.keyboard.type(token);
    await expect(page.getByText('This token works')).toBeVisible();
    await expect(box).toHaveValue('');

    for (const leave of ['Enter', 'Tab']) {
      await box.focus();
      await page.keyboard.type(token.slice(0, 15));
      await page.keyboard.press('Backspace');
      await page.keyboard.type(token.slice(14, -1));
      await expect(refusal).toBeHidden();
      await page.keyboard.press(leave);
      await expect(refusal).toBeVisible();
      await expect(box).toHaveValue('');
      await clear.click();
    }
    expect(searches.filter((body) => body.includes(token.slice(-10, -1)))).toEqual([]);
  });

  await test.step('a part stays in the box while its person looks into another window, and is refused once they leave the box', async () => {
    await box.focus();
    await page.keyboard.type(token.slice(0, 20));
    await box.evaluate(loseFocusOfWindow);
    await expect(box).toBeFocused();
    await expect(box).toHaveValue(token.slice(0, 20));
    await expect(refusal).toBeHidden();
    // The rest of the token makes it whole.
    await page.keyboard.type(token.slice(20));
    await expect(page.getByText('This token works')).toBeVisible();
    await expect(box).toHaveValue('');

    await page.keyboard.type(token.slice(0, 20));
    await main.getByRole('heading', { level: 1 }).click();
    await expect(refusal).toBeVisible();
    await expect(box).toHaveValue('');
  });

  const search = async (text: string) => {
    await box.fill(text);
    await page.keyboard.press('Enter');
  };
  const results = main.getByRole('table', { name: 'Results' });
  await test.step('the results are those of the latest search, which they name', async () => {
    await search(key.name);
    await expect(results.getByRole('row', { name: key.name })).toBeVisible();
    await expect(main.getByText(`1 result in 1 account for “${key.name}”`)).toBeVisible();

    const first = await holdNextSearch(page);
    await search(other);
    await first.isAnswered;
    await expect(results, 'those of the search before').toBeHidden();
    await expect(main.getByText(`Searching for “${other}”…`)).toBeVisible();
    first.deliver();
    await expect(main.getByText(`No results for “${other}”`)).toBeVisible();
  });

  await test.step('a search that was cleared or followed by a token shows no results', async () => {
    const hasShownResults = await watchResults(page);
    const cleared = await holdNextSearch(page);
    await search(key.name);
    await cleared.isAnswered;
    await clear.click();
    await expect(main.getByText('Searching for')).toBeHidden();
    cleared.deliver();
    const followed = await holdNextSearch(page);
    await search(key.name);
    await followed.isAnswered;
    await box.fill(key.token);
    followed.deliver();
    await expect(page.getByText('This token works')).toBeVisible();
    expect(await hasShownResults()).toBe(false);
  });

  await test.step('a search that failed shows no results of the one before', async () => {
    await search(key.name);
    await expect(results).toBeVisible();
    apiProxy.respondTo('POST', /support-desk\/searches$/, () => broken());
    await search(other);
    await expect(main.getByText('The search failed')).toBeVisible();
    await expect(results, 'those of the search before').toBeHidden();
  });
});

test('a search at the desk shows more results on request, and a press on the name of an account searches only there', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  for (const letter of 'abcdefghijk') await givenApiKey({ name: `Importer ${letter}${letter}` });
  await page.goto('/support');
  const main = page.getByRole('main');
  const box = main.getByRole('textbox');
  const keys = main.getByRole('rowheader', { name: /^Importer/ });
  const showMore = main.getByRole('button', { name: 'Show more keys' });

  await box.fill('importer');
  await page.keyboard.press('Enter');
  await expect(keys).toHaveCount(10);
  await showMore.click();
  await expect(keys).toHaveCount(11);
  await expect(showMore).toBeHidden();
  await expect(main.getByRole('rowheader', { name: 'Keys 11' })).toBeFocused();

  await main
    .getByRole('button', { name: /^Search only in/ })
    .first()
    .click();
  const own = service.account.name;
  await expect(main.getByText(`More than 11 results for “importer” in ${own}`)).toBeVisible();
  await expect(box).toBeFocused();
  await box.fill('importer gg');
  await page.keyboard.press('Enter');
  await expect(keys).toHaveText([/Importer gg/]);
  await main.getByRole('button', { name: 'Search all accounts' }).click();
  await expect(main.getByText('1 result in 1 account for “importer gg”')).toBeVisible();
});

test('a delivery that an id finds leads to its event, which shows its outcome at every webhook', async ({
  api,
  receiver,
  service,
  signedIn: page,
}) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  await api.post('/api/v1/webhooks', {
    data: { name: 'Orders', url: receiver.url, events: ['message.created'] },
  });
  await writeMessage(api, 'Where is it?');
  const { headers } = await receiver.received(1);
  const id = String(headers['webhook-id']);
  await page.goto('/support');
  await page.getByRole('main').getByRole('textbox').fill(id);
  await page.keyboard.press('Enter');
  const open = page.getByRole('link', { name: /^Open events of/ });
  await expectAccessible(page, 'support desk with a delivery');
  await open.click();
  await expect(page).toHaveURL(new RegExp(`/a/${service.account.id}/settings/events\\?q=${id}$`));
  await expect(page.getByRole('searchbox', { name: 'Find an event' })).toHaveValue(id);
  await expect(page.getByRole('img', { name: 'Orders: delivered' })).toHaveCount(1);
});

test('Back from a result puts the text of the search into the box again and searches for nothing, and no token or part of one is kept', async ({
  givenApiKey,
  service,
  signedIn: page,
}) => {
  await addAccounts(service, { names: ['Beta Ltd'], owner: service.owner });
  const { token } = await givenApiKey();
  await page.goto('/support');
  const main = page.getByRole('main');
  const box = main.getByRole('textbox', { name: 'Search all accounts' });
  const results = main.getByRole('table', { name: 'Results' });

  await box.fill('Beta');
  await page.keyboard.press('Enter');
  await results.getByRole('link', { name: 'Open Beta Ltd' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  const searches: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/support')) {
      searches.push(request.url());
    }
  });
  await page.goBack();
  await expect(box).toHaveValue('Beta');
  await expect(box).toBeFocused();
  await expect(main.getByText('You searched for “Beta”.')).toBeVisible();
  expect(searches).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(results.getByRole('row', { name: 'Beta Ltd' })).toBeVisible();

  await box.fill(token);
  await expect(main.getByText('This token works')).toBeVisible();
  await main.getByRole('link', { name: 'Report leak' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('');

  const part = token.slice(12, 30);
  await box.fill(part);
  await page.keyboard.press('Enter');
  await expect(main.getByText(`No results for “${part}”`)).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(window.history.state))).not.toContain(part);
  await page.reload();
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('');
});

test('a key whose rotation was requested leads to the open request, or to the key for people who may not see the request', async ({
  context,
  givenApiKey,
  page,
  request,
  service,
}) => {
  const key = await givenApiKey();
  const row = page.getByRole('table', { name: 'Results' }).getByRole('row', { name: key.name });
  const findAs = async (name: string) => {
    const person = await addMember(service, { name, role: 'support' });
    await addAccounts(service, { names: [`Beta of ${name}`], owner: person });
    const { cookies } = await sessionOf(service, person);
    await context.clearCookies();
    await context.addCookies(cookies);
    await page.goto('/support');
    await page.getByRole('textbox', { name: 'Search all accounts', exact: true }).fill(key.name);
    await page.keyboard.press('Enter');
    return cookies;
  };
  const asker = await findAs('sam');
  await expect(row.getByRole('link', { name: 'Request rotation' })).toBeVisible();
  await askOwnerForRotation(request, { service, asker, uuid: key.uuid });
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Rotation was requested');
  await row.getByRole('link', { name: 'Open request' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(key.name);
  await expect(page).toHaveURL(/\/settings\/rotation-requests\//);

  await findAs('kim');
  await expect(row).toContainText('Rotation was requested');
  await expect(row.getByRole('link', { name: /request/i })).toBeHidden();
  await expect(row.getByRole('link', { name: `Open ${key.name}` })).toBeVisible();
});

/**
 * Does to the page what a browser does while another window has the focus. A Chromium without a
 * screen never takes the focus from a window.
 */
function loseFocusOfWindow(focused: HTMLElement | SVGElement): void {
  document.hasFocus = () => false;
  focused.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  Reflect.deleteProperty(document, 'hasFocus');
}

/** The next search is run, but its response does not reach the page yet. */
async function holdNextSearch(page: Page) {
  const answered = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<void>();
  await page.route(
    '**/support',
    async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await delivered.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { isAnswered: answered.promise, deliver: delivered.resolve };
}

/** Whether the page has shown a table of results since, even for a moment. */
async function watchResults(page: Page): Promise<() => Promise<boolean>> {
  const hasShown = await page.evaluateHandle(() => {
    const seen = { isShown: false };
    const look = () => {
      const captions = [...document.querySelectorAll('main caption')];
      seen.isShown ||= captions.some(({ textContent }) => textContent === 'Results');
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  return async () => await hasShown.evaluate((seen) => seen.isShown);
}
