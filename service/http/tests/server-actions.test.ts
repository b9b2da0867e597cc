import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LinkKind } from '#lib/contract/people/links.ts';
import { isDashboardRoute } from '#lib/contract/route.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { routes } from '#lib/contract/routes.ts';
import { inRequest } from '#lib/testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '#lib/testing/loopback.ts';
import { askerNames, personNames } from '../../testing/rights/askers.ts';
import type { Asker, AskerName } from '../../testing/rights/askers.ts';
import { rightsTable } from '../../testing/rights/rights-table.ts';
import type { Input, Outcome, Right } from '../../testing/rights/rights-table.ts';
import { askForEveryone, openRightsWorld } from '../../testing/rights/rights-world.ts';
import type { RightsWorld } from '../../testing/rights/rights-world.ts';

type Action = (input: object) => Promise<{ ok: boolean; code?: string }>;

const linkOfToken: Readonly<Record<string, LinkKind>> = {
  invitation_token: 'invitation',
  reset_token: 'password_reset',
  confirm_token: 'email_confirmation',
  revoke_token: 'email_revocation',
  set_up_token: 'set_up',
};

/** The dashboard asks for these without the session that a browser may have. */
const withoutSession = [
  'signIn',
  'finishSignIn',
  'startPasskeySignIn',
  'openLink',
  'checkInvitation',
  'acceptInvitation',
  'requestPasswordReset',
  'checkPasswordReset',
  'finishPasswordReset',
  'checkEmailConfirmation',
  'confirmEmail',
  'confirmWebhookContact',
  'checkEmailRevocation',
  'revokeEmailChange',
  'checkSetUpToken',
  'setUp',
];

/**
 * Cases whose outcome depends on facts that the service does not get, or on who someone is apart
 * from the page.
 */
const others: Partial<Record<string, Partial<Record<AskerName, Outcome>>>> = {
  // Every signed-in person can join an account: the page's account does not matter.
  joinAccount: {
    'installation support where it is switched off': 'done',
    'owner of another account': 'done',
    'admin of an account that is being deleted': 'done',
  },
  // A person who belongs to no account cannot sign in.
  signIn: { 'person of no account': 422 },
};

/**
 * Callers that only the service can tell apart. The tests of the routes cover them: an action only
 * passes on the session and the account.
 */
const knownToService: readonly AskerName[] = [
  'admin',
  'support',
  'installation support with a reason',
  'installation support without a reason',
  'someone whose session is a week old',
  'owner whose session is older than the account allows',
  'owner whose session token was replaced',
  'owner whose proof is half an hour old',
  'owner who lacks the required second factor',
  'owner of an account that is being deleted',
  'admin of an account that is being deleted',
];

/** Programs are no browsers, and the dashboard's server always has its credential. */
const browserNames = personNames.filter((name) => !knownToService.includes(name));

function isBrowser(asker: AskerName): boolean {
  return browserNames.some((name) => name === asker);
}

const root = new URL('../../../', import.meta.url);

let world: RightsWorld;
let actions: Map<string, Action>;
const server = createServer((request, response) => {
  void getRequestListener(world.api.app.fetch)(request, response);
});

beforeAll(async () => {
  world = await openRightsWorld();
  actions = await readActions();
  await listenOnLoopback(server);
});
afterAll(async () => {
  server.close().closeAllConnections();
  await world.ctx.dispose();
});

beforeEach(() => {
  vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${portOf(server)}`);
  vi.stubEnv('DASHBOARD_CREDENTIAL', world.ctx.dashboardCredential);
});

test('the table of rights has every server action', () => {
  const inTable = new Set(rightsTable.map(({ route }) => route));
  expect([...actions.keys()].filter((name) => !inTable.has(name))).toEqual([]);
});

describe('a server action acts for those who may, and refuses everyone else', () => {
  const changes = rightsTable.filter(({ route }) => mayBeAction(route));

  test.each(changes.map((right) => [right.name, right] as const))('%s', async (_name, right) => {
    const action = actions.get(right.route);
    if (!action) throw new Error(`there is no action ${right.route}`);
    const outcomes = outcomesOf(right);
    const browsers = world.askers.all.filter(({ name: asker }) => isBrowser(asker));
    const results = await askForEveryone(world, {
      right,
      outcomes,
      askers: browsers,
      isReading: false,
      ask: async (asker, input) =>
        outcomeOf(
          await inRequest(requestOf(asker, input), () => action(inputOf(right.route, input))),
        ),
    });
    const expected = browsers.map((asker) => [asker.name, outcomes[asker.name]]);
    expect(results).toEqual(Object.fromEntries(expected));
  });
});

/** Whether the dashboard changes something with the route; signing out is no server action. */
function mayBeAction(name: string): boolean {
  const route: RouteDefinition = routes[name as keyof typeof routes];
  return isDashboardRoute(route) && route.method !== 'GET' && name !== 'signOut';
}

/**
 * Every function that a browser can call, by name. They are loaded by the path of their file, so that
 * none is forgotten: nothing else in the service imports the dashboard.
 */
async function readActions(): Promise<Map<string, Action>> {
  const found = new Map<string, Action>();
  for (const file of await findFilesOfActions()) {
    const exported = (await import(file)) as Record<string, Action>;
    for (const [name, action] of Object.entries(exported)) found.set(name, action);
  }
  return found;
}

async function findFilesOfActions(): Promise<string[]> {
  const rooms = ['app', 'components', 'lib'].map((room) => fileURLToPath(new URL(room, root)));
  const files = await Promise.all(
    rooms.map(async (room) =>
      (await readdir(room, { recursive: true })).map((file) => join(room, file)),
    ),
  );
  const sources = await Promise.all(
    files
      .flat()
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
      .map(async (file) => ({ file, source: await readFile(file, 'utf8') })),
  );
  return sources
    .filter(({ source }) => /^\s*['"]use server['"]/m.test(source))
    .map(({ file }) => file);
}

/** The action returns what the service responds, apart from the exceptions above. */
function outcomesOf({ route, outcomes }: Right): Right['outcomes'] {
  const alike = (name: AskerName) =>
    withoutSession.includes(route) ? outcomes['nobody signed in'] : outcomes[name];
  const all = askerNames.map((name) => [name, others[route]?.[name] ?? alike(name)]);
  return Object.fromEntries(all) as Right['outcomes'];
}

/** What the browser gives of a call: tokens of links and of pending sign-ins are in cookies. */
function inputOf(name: string, { params, body }: Input): object {
  const route: RouteDefinition = routes[name as keyof typeof routes];
  const fields = Object.entries(body ?? {}).filter(
    ([field]) => !(field in linkOfToken) && field !== 'pending_token',
  );
  return {
    ...(params && { params }),
    ...(body !== undefined && { body: Object.fromEntries(fields) }),
    ...(route.onRepeat && { idempotencyKey: crypto.randomUUID() }),
  };
}

function requestOf({ session, accountId }: Asker, { body }: Input) {
  const pending = (body as { pending_token?: string } | undefined)?.pending_token;
  return {
    headers: new Headers({
      'sec-fetch-site': 'same-origin',
      'x-page-path': `/a/${accountId}/settings/api-keys`,
      'x-client-address': '192.0.2.9',
    }),
    cookies: new Map([
      ...(session === null ? [] : [['session', session] as const]),
      ...(pending === undefined ? [] : [['pending-sign-in', pending] as const]),
      ...Object.entries(linkOfToken).flatMap(([name, kind]) => {
        const token = (body as Record<string, string> | undefined)?.[name];
        return token === undefined ? [] : [[`link-${kind}`, `opened.${token}`] as const];
      }),
    ]),
  };
}

const statuses: Record<string, Outcome> = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_ERROR: 422,
};

function outcomeOf({ ok, code = '' }: Awaited<ReturnType<Action>>): string | number {
  return ok ? 'done' : (statuses[code] ?? code);
}
