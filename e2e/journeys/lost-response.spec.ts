import { expect } from '@playwright/test';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { fullTest, isRemote, test } from '../fixtures.ts';
import type { Service } from '../fixtures.ts';
import { choose, rowOf } from '../pages/api-keys.ts';
import { askOwnerForRotation } from '../pages/ask-for-rotation.ts';
import { holdNextResponse } from '../pages/hold-next-response.ts';
import type { HeldResponse } from '../pages/hold-next-response.ts';
import {
  everyWay,
  expectClosed,
  expectOtherAccount,
  isOpenBehindDialogs,
  leaveBy,
  otherAccount,
} from '../pages/leaving.ts';
import type { WayOfLeaving } from '../pages/leaving.ts';
import { addAccounts, addMember, sessionOf } from '../pages/people/members.ts';
import { asDashboard } from '../pages/people/identity.ts';
import { secretDialog } from '../pages/secret-dialog.ts';
import { readWebhook } from '../pages/webhooks.ts';

/** The target of an act. */
type Target = { name: string; uuid: string };

/** An act that creates a token or secret, which is shown once. */
type Act = {
  of: 'api-keys' | 'webhooks';
  /** Creates the target; if left out, the act creates it. */
  prepare?: () => Promise<Target>;
  /** Does everything up to the press. */
  open: (page: Page, target: Target) => Promise<void>;
  button: (page: Page, target: Target) => Locator;
  /** The button to press after a lost response, if it is another one. */
  again?: (page: Page) => Locator;
  /** What the page says if the response is lost. */
  unknown: string | RegExp;
  /** How many actions get a response before the one that counts. */
  after?: number;
  /** Whether it happens in a modal dialog. */
  isInDialog?: true;
  /** What the list says if nobody confirmed the token or secret. */
  unconfirmed: string;
};

const acts = {
  'create a key': {
    of: 'api-keys',
    async open(page, { name }) {
      await page.goto('settings/api-keys/new');
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('radio', { name: 'Full', exact: true }).check();
    },
    button: (page) => page.getByRole('button', { name: 'Create key' }),
    unknown: 'We could not confirm whether the key was created',
    unconfirmed: 'Unconfirmed',
  },
  'show a new token': {
    of: 'api-keys',
    async prepare() {
      const key = await world.givenApiKey();
      await loseRotation(key);
      return key;
    },
    async open(page, { name }) {
      await openList(page, 'api-keys', name);
      await page.getByRole('link', { name, exact: true }).click();
      const panel = page.getByRole('region', { name: 'Nobody confirmed having this token' });
      await panel.getByRole('button', { name: 'Show a new one' }).click();
    },
    button: (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Show a new one' }),
    unknown: 'We could not confirm whether a new token was created',
    isInDialog: true,
    unconfirmed: 'Unconfirmed',
  },
  'rotate a key': {
    of: 'api-keys',
    prepare: async () => await world.givenApiKey(),
    async open(page, { name }) {
      await openList(page, 'api-keys', name);
      await choose(page, name, 'Rotate token');
      await waitForPreview(page);
    },
    button: (page, { name }) => page.getByRole('button', { name: `Rotate ${name}`, exact: true }),
    unknown: /We could not confirm whether .+ was rotated/,
    isInDialog: true,
    unconfirmed: 'Unconfirmed',
  },
  'rotate a key on request': {
    of: 'api-keys',
    async prepare() {
      const { givenApiKey, request, service } = world;
      const key = await givenApiKey();
      const sam = await addMember(service, { name: 'sam', role: 'support' });
      const { cookies: asker } = await sessionOf(service, sam);
      await askOwnerForRotation(request, { service, asker, uuid: key.uuid });
      return key;
    },
    async open(page, { name }) {
      await openList(page, 'api-keys', name);
      await page.getByRole('button', { name: `Rotate and show the new token of ${name}` }).click();
      await waitForPreview(page);
    },
    button: (page, { name }) => page.getByRole('button', { name: `Rotate ${name}`, exact: true }),
    unknown: /We could not confirm whether .+ was rotated/,
    isInDialog: true,
    unconfirmed: 'Unconfirmed',
  },
  'create a webhook': {
    of: 'webhooks',
    open: fillInWebhook,
    button: (page) => page.getByRole('button', { name: 'Create webhook' }),
    unknown: 'We could not confirm whether the webhook was created',
    unconfirmed: 'Finish set-up',
  },
  'create a webhook: its secret': {
    of: 'webhooks',
    open: fillInWebhook,
    button: (page) => page.getByRole('button', { name: 'Create webhook' }),
    again: (page) => page.getByRole('button', { name: 'Try again' }),
    unknown: /We could not confirm whether a new secret was created for /,
    after: 1,
    unconfirmed: 'Finish set-up',
  },
  'regenerate a secret': {
    of: 'webhooks',
    prepare: async () => await world.givenWebhook({ isActive: true, hasSecret: true }),
    async open(page, { name }) {
      await openList(page, 'webhooks', name);
      await choose(page, name, 'Regenerate secret');
    },
    button: (page) => page.getByRole('button', { name: 'Regenerate secret' }),
    unknown: 'We could not confirm whether a new secret was created',
    isInDialog: true,
    unconfirmed: 'Nobody confirmed the secret',
  },
  'finish a set-up': {
    of: 'webhooks',
    prepare: async () => await world.givenWebhook(),
    open: async (page, { name }) => await openList(page, 'webhooks', name),
    button: (page, { name }) => page.getByRole('button', { name: `Finish set-up of ${name}` }),
    again: (page) => page.getByRole('button', { name: 'Try again' }),
    unknown: /We could not confirm whether a new secret was created for /,
    unconfirmed: 'Finish set-up',
  },
} satisfies Record<string, Act>;

type ActName = keyof typeof acts;

type World = {
  /** The open tab. A journey that closes it opens another one. */
  page: Page;
  service: Service;
  api: APIRequestContext;
  request: APIRequestContext;
  named: (word: string) => string;
  givenApiKey: () => Promise<Target & { token: string }>;
  givenWebhook: (webhook?: { isActive: boolean; hasSecret: boolean }) => Promise<Target>;
};

let world: World;

test.skip(isRemote, 'adds members and accounts');
test.beforeEach(
  async ({ api, givenApiKey, givenWebhook, guard, named, request, service, signedIn: page }) => {
    guard.allow(/net::ERR_FAILED/);
    world = { page, service, api, request, named, givenApiKey, givenWebhook };
  },
);

test.describe('a lost response at every step with every way of leaving', () => {
  test('keys', async () => {
    // First, so that the list, which is opened later, includes them.
    const rotated = await acts['rotate a key'].prepare();
    const requested = await acts['rotate a key on request'].prepare();
    const created = await doOnce('create a key', {
      onItsWay: ['a link', 'the command palette'],
      whileShown: 'Back',
      end: 'Back',
    });
    await doOnce('show a new token', {
      target: created,
      onItsWay: ['Back'],
      whileShown: 'a reload',
      end: 'Done',
    });
    await doOnce('rotate a key', {
      target: rotated,
      onItsWay: ['a reload'],
      whileShown: 'closing the tab',
      end: 'a reload',
    });
    await doOnce('rotate a key on request', {
      target: requested,
      onItsWay: ['closing the tab'],
      whileShown: 'Back',
      end: 'closing the tab',
    });
  });

  fullTest('webhooks', async () => {
    await addOtherAccount();
    const signed = await acts['regenerate a secret'].prepare();
    const created = await doOnce('create a webhook', {
      onItsWay: ['another account', 'a reload'],
      whileShown: 'Back',
      end: 'a reload',
    });
    await doOnce('finish a set-up', {
      target: created,
      onItsWay: ['signing out', 'Back'],
      whileShown: 'a reload',
      end: 'Done',
    });
    await doOnce('regenerate a secret', {
      target: signed,
      onItsWay: ['closing the tab'],
      whileShown: 'Back',
      end: 'Back',
    });
  });

  fullTest('webhooks, left before the response arrives', async () => {
    await test.step('create a webhook: its secret, and leave before it is there', async () => {
      await leaveWhileOnItsWay('create a webhook: its secret', 'signing out');
    });
    await test.step('create a webhook, and leave before its response arrives', async () => {
      const { held: response, target } = await pressWithHeldResponse(acts['create a webhook']);
      await response.arrived;
      await leaveBy(world.page, 'a link', 'leave');
      await expect(world.page).toHaveURL('settings/api-keys');
      response.deliver();
      // The page was left, so no secret is created that nobody would be shown.
      await expectUnconfirmed(acts['create a webhook'], target);
      const { uuid } = await expectOne(acts['create a webhook'], target.name);
      expect((await readWebhook(world.api, uuid)).secret.was_shown).toBe(false);
    });
  });

  for (const name of Object.keys(acts) as ActName[]) {
    fullTest(`${name}: every way`, async () => {
      test.setTimeout(240_000);
      await addOtherAccount();
      await doOnce(name, {
        onItsWay: everyWay,
        whileShown: 'Back',
        end: 'Done',
      });
      for (const way of everyWay) {
        await test.step(`in flight: ${way}`, () => leaveWhileOnItsWay(name, way));
        await test.step(`while it is shown: ${way}`, () => leaveWhileShown(name, way));
      }
    });
  }
});

type Journey = {
  /** The target from an earlier act; if left out, it is created. */
  target?: Target;
  /** How the person tries to leave while the request is in flight. */
  onItsWay: readonly WayOfLeaving[];
  /** The same while the dialog is open. */
  whileShown: WayOfLeaving;
  /** How the person leaves the dialog at the end. */
  end: 'Done' | WayOfLeaving;
};

/**
 * The response is lost after some attempts to leave. After another press, nothing is created twice.
 */
async function doOnce(
  name: ActName,
  { target: given, onItsWay, whileShown, end }: Journey,
): Promise<Target> {
  return await test.step(name, async () => {
    const act: Act = acts[name];
    const { held: response, target } = await pressWithHeldResponse(act, given);
    const { page } = world;
    const unseen = secretIn(await response.arrived);
    const address = page.url();
    for (const way of onItsWay) await tryToLeave(page, way, act.isInDialog);
    expect(page.url()).toBe(address);
    response.lose();
    await expect(page.getByText(act.unknown)).toBeVisible();
    const dialog = secretDialog(page);
    await expect(dialog.root).toBeHidden();

    await (act.again ?? act.button)(page, target).click();
    await expect(dialog.value).toHaveValue(/^(sk_live_|whsec_)/);
    const shown = await dialog.value.inputValue();
    expect(shown).not.toBe(unseen);
    await expectDead(unseen);
    await tryToLeave(page, whileShown, true);
    await expect(dialog.value).toHaveValue(shown);
    const found = await expectOne(act, target.name);

    if (end === 'Done') {
      await dialog.saved.check();
      await dialog.done.click();
      await expect(dialog.root).toBeHidden();
      const isOnItsPage = target.uuid !== '' && page.url().endsWith(target.uuid);
      const shownOf = isOnItsPage ? page.getByRole('main') : rowOf(page, target.name);
      await expect(shownOf).not.toContainText(act.unconfirmed);
    } else {
      await leaveBy(page, end, 'leave');
      await expectUnconfirmed(act, target);
    }
    return found;
  });
}

async function leaveWhileOnItsWay(name: ActName, way: WayOfLeaving): Promise<void> {
  const act: Act = acts[name];
  if (act.isInDialog && !isOpenBehindDialogs(way)) return;
  const { held: response, target } = await pressWithHeldResponse(act);
  await response.arrived;
  await leaveBy(world.page, way, 'stay');
  await leaveBy(world.page, way, 'leave');
  response.lose();
  if (way === 'another account') await expectOtherAccount(world.page);
  await expectUnconfirmed(act, target);
  await expectOne(act, target.name);
}

async function leaveWhileShown(name: ActName, way: WayOfLeaving): Promise<void> {
  const act: Act = acts[name];
  if (!isOpenBehindDialogs(way)) return;
  const { held: response, target } = await pressWithHeldResponse(act);
  response.deliver();
  const { value } = secretDialog(world.page);
  await expect(value).toHaveValue(/^(sk_live_|whsec_)/);
  const shown = await value.inputValue();
  for (const tried of everyWay) await tryToLeave(world.page, tried, true);
  await expect(value).toHaveValue(shown);
  await leaveBy(world.page, way, 'leave');
  await expectUnconfirmed(act, target);
  await expectOne(act, target.name);
}

/** Tries to leave and stays. A dialog blocks some of the ways. */
async function tryToLeave(page: Page, way: WayOfLeaving, isInDialog = false): Promise<void> {
  if (isInDialog && !isOpenBehindDialogs(way)) await expectClosed(page, way);
  else await leaveBy(page, way, 'stay');
}

async function pressWithHeldResponse(
  act: Act,
  given?: Target,
): Promise<{ held: HeldResponse; target: Target }> {
  const made = given ?? (await act.prepare?.());
  const target = made ?? { name: world.named('Made once'), uuid: '' };
  await act.open(world.page, target);
  const held = await holdNextResponse(world.page, { after: act.after ?? 0 });
  await act.button(world.page, target).click();
  return { held, target };
}

/**
 * The list names what nobody confirmed. A person who closed the tab or signed out comes back first.
 */
async function expectUnconfirmed(act: Act, { name }: Target): Promise<void> {
  const { service } = world;
  if (world.page.isClosed()) {
    const context = world.page.context();
    world.page = await context.newPage();
  } else if (world.page.url().endsWith('/sign-in')) {
    await world.page.context().addCookies((await sessionOf(service, service.owner)).cookies);
  }
  const { page } = world;
  const label = act.of === 'webhooks' ? 'Webhooks' : 'API keys';
  const list = page.getByRole('complementary').getByRole('link', { name: label, exact: true });
  // Without a page load if possible: data that the page had before must not be shown any more.
  if (!page.url().startsWith(service.home)) await page.goto(`settings/${act.of}`);
  else if (!isListOpen(page, act.of)) await list.click();
  await expect(rowOf(page, name)).toContainText(act.unconfirmed);
}

/** Exactly one key or webhook has this name. */
async function expectOne({ of }: Act, name: string): Promise<Target> {
  const response = await world.api.get(`/api/v1/${of}`);
  const { data } = (await response.json()) as { data: Target[] };
  const found = data.filter((one) => one.name === name);
  expect(found).toHaveLength(1);
  return found[0] ?? { name, uuid: '' };
}

/** The token that nobody saw no longer works. */
async function expectDead(token: string | null): Promise<void> {
  if (token?.startsWith('sk_live_') !== true) return;
  const response = await world.request.get('/api/v1/api-key', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(response.status()).toBe(401);
}

/** Rotates a key as the dashboard does, and shows the token to nobody. */
async function loseRotation({ uuid }: Target): Promise<void> {
  const { request, service } = world;
  const { account } = service;
  const response = await request.post(`/api/v1/api-keys/${uuid}/rotate`, {
    headers: {
      ...asDashboard(service, account?.session ?? []),
      'X-Dashboard-Account': account?.id ?? '',
    },
  });
  expect(response.status()).toBe(201);
}

/** Opens the list, unless it is open and shows this target. */
async function openList(page: Page, of: Act['of'], name: string): Promise<void> {
  const isShown = isListOpen(page, of) && (await rowOf(page, name).isVisible());
  if (!isShown) await page.goto(`settings/${of}`);
}

function isListOpen(page: Page, of: Act['of']): boolean {
  return page.url().endsWith(`/settings/${of}`);
}

/** After the preview has been read, the rotation is the only action that follows. */
async function waitForPreview(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByText(/Works until/)).toBeVisible();
}

async function addOtherAccount(): Promise<void> {
  const { service } = world;
  await addAccounts(service, { names: [otherAccount], owner: service.owner });
}

async function fillInWebhook(page: Page, { name }: Target): Promise<void> {
  await page.goto('settings/webhooks/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/webhooks');
  await page.getByRole('checkbox', { name: 'A message was written in a conversation.' }).check();
}

function secretIn(response: string): string | null {
  return /sk_live_\w+|whsec_[\w+/=]+/.exec(response)?.[0] ?? null;
}
