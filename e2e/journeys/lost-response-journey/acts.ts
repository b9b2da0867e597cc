import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { choose, rowOf } from '../../pages/api-keys.ts';
import { askOwnerForRotation } from '../../pages/ask-for-rotation.ts';
import { asDashboard } from '../../pages/people/identity.ts';
import { addMember, sessionOf } from '../../pages/people/members.ts';
import type { Target, World } from './world.ts';

/** An act that creates a token or secret, which is shown once. */
export type Act = {
  of: 'api-keys' | 'webhooks';
  /** Creates the target; if left out, the act creates it. */
  prepare?: (world: World) => Promise<Target>;
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

export const acts = {
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
    async prepare(world) {
      const key = await world.givenApiKey();
      await loseRotation(world, key);
      return key;
    },
    async open(page, { name }) {
      await openList(page, 'api-keys', name);
      await page.getByRole('link', { name, exact: true }).click();
      const panel = page.getByRole('region', { name: 'Nobody confirmed having this token' });
      await panel.getByRole('button', { name: 'Show a new token' }).click();
    },
    button: (page) =>
      page.getByRole('alertdialog').getByRole('button', { name: 'Show a new token' }),
    unknown: 'We could not confirm whether a new token was created',
    isInDialog: true,
    unconfirmed: 'Unconfirmed',
  },
  'rotate a key': {
    of: 'api-keys',
    prepare: async (world) => await world.givenApiKey(),
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
    async prepare(world) {
      const { givenApiKey, request, service } = world;
      const key = await givenApiKey();
      const sam = await addMember(service, { name: 'sam', role: 'support' });
      const { cookies: asker } = await sessionOf(service, sam);
      await askOwnerForRotation(request, { service, asker, uuid: key.uuid });
      return key;
    },
    async open(page, { name }) {
      await openList(page, 'api-keys', name);
      await page.getByRole('button', { name: `Rotate and show token of ${name}` }).click();
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
    prepare: async (world) => await world.givenWebhook({ isActive: true, hasSecret: true }),
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
    prepare: async (world) => await world.givenWebhook(),
    open: async (page, { name }) => await openList(page, 'webhooks', name),
    button: (page, { name }) => page.getByRole('button', { name: `Finish set-up of ${name}` }),
    again: (page) => page.getByRole('button', { name: 'Try again' }),
    unknown: /We could not confirm whether a new secret was created for /,
    unconfirmed: 'Finish set-up',
  },
} satisfies Record<string, Act>;

export type ActName = keyof typeof acts;

/** Rotates a key as the dashboard does, and shows the token to nobody. */
async function loseRotation(world: World, { uuid }: Target): Promise<void> {
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

export function isListOpen(page: Page, of: Act['of']): boolean {
  return page.url().endsWith(`/settings/${of}`);
}

/** After the preview has been read, the rotation is the only action that follows. */
async function waitForPreview(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByText(/Works until/)).toBeVisible();
}

async function fillInWebhook(page: Page, { name }: Target): Promise<void> {
  await page.goto('settings/webhooks/new');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'URL' }).fill('https://example.com/webhooks');
  await page.getByRole('checkbox', { name: 'A message was written in a conversation.' }).check();
}
