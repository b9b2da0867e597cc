import type { APIRequestContext, Cookie, Page } from '@playwright/test';
import type { ApiKeyInForm, OldOneEnds } from '../pages/api-keys.ts';
import type { Person } from '../pages/people/sign-in.ts';
import type { WebhookInForm } from '../pages/webhooks.ts';
import type { Account } from './account.ts';
import type { ApiProxy } from './servers/api-proxy.ts';
import type { Control } from './control/control.ts';
import type { Receiver } from './servers/receiver.ts';
import type { Server } from './servers/server.ts';
import type { Guard } from './watch-browser.ts';
import type { WorkerServer } from './servers/worker-server.ts';

/** The service under test, and the test's account in it. */
export type Service = {
  origin: string;
  /** The URL of the account's pages, with a slash at the end. */
  home: string;
  owner: Person;
  /** The id of the test's own account; null in a service that was already running. */
  account: Account | null;
  /** The server that the tests of a worker share; null in a service that was already running. */
  worker: WorkerServer | null;
  /** The process, if the suite started it; null for a service that was already running. */
  server: Server | null;
  /** The token of the account's first key, if the suite chose it. */
  token: string | null;
  /** The credential of the dashboard's server, if the suite chose it. */
  credential: string | null;
};

/** The owner's cookies, and the URL of the pages of their account. */
export type SignedIn = { session: Cookie[]; home: string };

/** A service that the suite did not start, with the API called with the suite's own key. */
export type RemoteService = SignedIn & { owner: Person; api: APIRequestContext };

export type WorkerOptions = {
  /** Whether someone can sign in to that server from the beginning. */
  isSetUp: boolean;
};

export type WorkerFixtures = {
  /** The server that the tests of a worker share; null if the service runs elsewhere. */
  worker: WorkerServer | null;
  /** What all tests of a worker share in a service elsewhere; null if the suite started its own. */
  elsewhere: RemoteService | null;
};

export type TestOptions = {
  /** The name of the test's account. */
  accountName: string;
};

export type TestFixtures = {
  guard: Guard;
  /**
   * The account of this test alone; null in a service that runs elsewhere, and if nobody can sign
   * in.
   */
  account: Account | null;
  service: Service;
  /** The cookies of the account's owner. */
  session: Cookie[];
  /** The API, called with a full key. */
  api: APIRequestContext;
  /** What only tests may do to the service. Skips the test if the service runs elsewhere. */
  control: Control;
  /** A proxy between the dashboard and the API, which can respond in place of the API. */
  apiProxy: ApiProxy;
  /** A page of the signed-in owner, with nothing open in it yet. */
  signedIn: Page;
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
