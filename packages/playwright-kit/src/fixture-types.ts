import type { APIRequestContext, Cookie, Page } from '@playwright/test';
import type { Control } from './control.ts';
import type { DeliveryState, GivenDelivery } from './given-delivery.ts';
import type { Account, Installation, Person, Role } from './installation.ts';
import type { ApiKeyInForm, OldOneEnds } from './pages/api-keys.ts';
import type { WebhookInForm } from './pages/webhooks.ts';
import type { Receiver } from './receiver.ts';
import type { Guard } from './watch-browser.ts';

/** The service under test, and the test's account in it. */
export type Service = {
  origin: string;
  /** The URL of the account's pages, with a slash at the end. */
  home: string;
  owner: Person;
  account: Account;
};

export type WorkerFixtures = {
  /** The service that all tests of a worker share. */
  installation: Installation;
};

export type TestOptions = {
  /** The name of the test's account. */
  accountName: string;
};

export type TestFixtures = {
  guard: Guard;
  /** The account of this test alone. */
  account: Account;
  service: Service;
  /** The cookies of the account's owner. */
  session: Cookie[];
  /** The API, called with a full key. */
  api: APIRequestContext;
  /** What only tests may do to the service, if the kit started it. */
  control: Control;
  /** A page of the signed-in owner, with nothing open in it yet. */
  signedIn: Page;
  /** A page of a member with this role, in another browser context, with nothing open in it yet. */
  signedInAs: (role: Role) => Promise<Page>;
  /** Makes a unique name: `Staging e2e-3f9a0c12`. */
  named: (word: string) => string;
  /** Creates a key through the form and returns its token. */
  createApiKey: (key?: Partial<ApiKeyInForm>) => Promise<{ name: string; token: string }>;
  /** Rotates a key in the list and returns the new token. */
  rotateApiKey: (name: string, oldTokenEnds?: OldOneEnds) => Promise<string>;
  /** Creates a webhook through the form, active at the end, and returns its signing secret. */
  createWebhook: (webhook?: Partial<WebhookInForm>) => Promise<{ name: string; secret: string }>;
  /** Reads the secret that the signed-in page shows, confirms, and closes the dialog. */
  readSecretOnce: () => Promise<string>;
  /** A server for this test alone, to which webhooks can be sent. */
  receiver: Receiver;
  /** Sends an event to the receiver until its delivery, or the webhook, is in this state. */
  givenDelivery: (state: DeliveryState) => Promise<GivenDelivery>;
  /** Creates a key with the API: quicker than the form, for tests that are not about the form. */
  givenApiKey: (key?: GivenApiKey) => Promise<{ name: string; uuid: string; token: string }>;
  /** Creates a webhook with the API. By default it is inactive and nobody was shown its secret. */
  givenWebhook: (webhook?: GivenWebhook) => Promise<{ name: string; uuid: string }>;
};

export type GivenApiKey = { name?: string; type?: string; scopes?: readonly string[] };
export type GivenWebhook = {
  name?: string;
  url?: string;
  isActive?: boolean;
  /**
   * Whether a secret was shown, which then alone signs. Otherwise the webhook has the secret that
   * it was created with.
   */
  hasSecret?: boolean;
};
