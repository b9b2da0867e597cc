import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, readData } from 'conversation-service-playwright-kit';
import type { Person } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import type { Service } from '../helpers/fixture-types.ts';
import { addMember, sessionOf } from '../pages/people/members.ts';

test('a person sees where they are signed in, and ends one or all other sessions', async ({
  apiProxy,
  context,
  page: here,
  request,
  service,
}) => {
  const person = await addMember(service, { name: 'kim', role: 'viewer' });
  const elsewhere = [
    await signInElsewhere(request, { service, person }),
    await signInElsewhere(request, { service, person }),
  ];
  await context.addCookies((await sessionOf(service, person)).cookies);
  await here.goto('settings/api-keys');
  await here.getByRole('button', { name: /Your menu$/ }).click();
  await here.getByRole('menuitem', { name: 'Security' }).click();
  await expect(here.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible();

  const sessions = here.getByRole('listitem').filter({ hasText: 'Signed in' });
  await expect(sessions).toHaveCount(3);
  await expect(sessions.filter({ hasText: 'This browser' })).toHaveCount(1);
  const others = sessions.filter({ hasNotText: 'This browser' });
  await expect(others.first()).toContainText(/^Chrome on Linux/);
  await expect(others.first()).toContainText('127.0.0.1');

  const signOut = others.first().getByRole('button', { name: /^Sign out/ });
  apiProxy.respondTo('DELETE', /^\/api\/dashboard\/sessions\//, () =>
    Promise.reject(new Error('The connection breaks.')),
  );
  await signOut.click();
  await expect(others.first()).toContainText(
    'We could not confirm whether Chrome on Linux was signed out',
  );
  apiProxy.reset();
  await signOut.click();
  await expect(sessions).toHaveCount(2);
  await expect(here.getByText('Chrome on Linux is signed out.')).toBeVisible();
  await expect(here.getByRole('heading', { name: 'Where you are signed in' })).toBeFocused();
  const statuses = async () =>
    await Promise.all(elsewhere.map((session) => statusOf(request, { service, session })));
  expect(await statuses()).toEqual(expect.arrayContaining([200, 401]));

  await here.getByRole('button', { name: 'Sign out everywhere else' }).click();
  const question = here.getByRole('alertdialog', { name: 'Sign out everywhere else' });
  await expect(question).toContainText('1 other session');
  await expectAccessible(here, 'sign out everywhere else', question);
  await question.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(here.getByText('1 other session signed out.')).toBeVisible();
  expect(await statuses()).toEqual([401, 401]);
});

test('a changed password signs out everywhere else, and is the one that counts', async ({
  context,
  page,
  request,
  service,
}) => {
  const person = await addMember(service, { name: 'lee', role: 'viewer' });
  const session = await signInElsewhere(request, { service, person });
  await context.addCookies((await sessionOf(service, person)).cookies);
  await page.goto('settings/security');
  const current = page.getByRole('textbox', { name: 'Current password' });
  const fresh = page.getByRole('textbox', { name: 'New password' });
  const change = page.getByRole('button', { name: 'Change password' });
  await change.click();
  await expect(current).toBeFocused();
  await expect(current).toHaveAccessibleDescription('Enter your current password.');
  await expect(fresh).toHaveAccessibleDescription('Use at least 12 characters.');
  await expectAccessible(page, 'security with errors');

  await current.fill('not the password');
  await fresh.fill('a better one for Lee');
  await expect(page.getByText('Long enough')).toBeVisible();
  await change.click();
  await expect(current).toHaveAccessibleDescription('This is not your password.');
  await expect(fresh).toHaveValue('a better one for Lee');

  await current.fill(person.password);
  await fresh.fill(person.email);
  await change.click();
  await expect(fresh).toHaveAccessibleDescription(
    /^This password is made of your name, your email/,
  );

  await fresh.fill('a better one for Lee');
  await change.click();
  await expect(
    page.getByText('Your password was changed. 1 other session signed out.'),
  ).toBeVisible();
  await expect(fresh).toHaveValue('');
  await expect(page.getByText('You are signed in here only.')).toBeVisible();
  expect(await statusOf(request, { service, session })).toBe(401);
  expect((await tryToSignIn(request, { service, person })).status()).toBe(422);
  const changed = { ...person, password: 'a better one for Lee' };
  expect((await tryToSignIn(request, { service, person: changed })).status()).toBe(201);
});

/** The request that the dashboard sends when someone signs in from another browser. */
async function tryToSignIn(
  request: APIRequestContext,
  { service, person }: { service: Service; person: Person },
) {
  return await request.post('/api/dashboard/session', {
    headers: {
      Authorization: `Bearer ${service.credential}`,
      'X-Dashboard-Client': '127.0.0.1 Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0',
    },
    data: person,
  });
}

/** The same with the right password; returns the token of the session. */
async function signInElsewhere(
  request: APIRequestContext,
  who: { service: Service; person: Person },
): Promise<string> {
  const response = await tryToSignIn(request, who);
  expect(response.status()).toBe(201);
  const data = await readData<{ session_token: string }>(response);
  return data.session_token;
}

/** The service's response to the dashboard in this session. */
async function statusOf(
  request: APIRequestContext,
  { service, session }: { service: Service; session: string },
): Promise<number> {
  const response = await request.get('/api/dashboard/session', {
    headers: { Authorization: `Bearer ${service.credential}`, 'X-Dashboard-Session': session },
  });
  return response.status();
}
