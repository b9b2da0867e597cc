import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LinkKind } from '#lib/contract/people/links.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { inRequest } from '#lib/testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '#lib/testing/loopback.ts';
import { askerNames, personNames } from '../../testing/rights/askers.ts';
import type { Asker, AskerName } from '../../testing/rights/askers.ts';
import { rightsTable } from '../../testing/rights/rights-table.ts';
import type { Input, Outcome, Right } from '../../testing/rights/rights-table.ts';
import { askForEverybody, openRightsWorld } from '../../testing/rights/rights-world.ts';
import type { RightsWorld } from '../../testing/rights/rights-world.ts';

type Action = (...given: unknown[]) => Promise<{ ok: boolean; code?: string }>;

/**
 * What each server action does, as the table of rights calls it, and how it takes what the route
 * takes as parameters and body; without that as its arguments, in this order. Typed by hand.
 */
const table: [action: string, right: string, argumentsOf?: (input: Given) => unknown[]][] = [
  ['createApiKey', 'createApiKey'],
  ['previewRotation', 'rotateApiKey: as a dry run', ({ params }) => [params['apiKey'], {}]],
  ['rotateApiKey', 'rotateApiKey: a key no stronger than support'],
  ['rotateApiKey', 'rotateApiKey: with a grace period of less than an hour'],
  ['rotateApiKey', 'rotateApiKey: a full key'],
  ['updateApiKey', 'updateApiKey'],
  ['revokeApiKey', 'revokeApiKey'],
  ['endToken', 'endToken: of a key no stronger than support', tokenAsNumber],
  ['endToken', 'endToken: of a full key', tokenAsNumber],
  ['findTokenOfAccount', 'findTokenOfAccount'],
  ['confirmToken', 'confirmToken'],
  ['replaceUnconfirmedToken', 'replaceUnconfirmedToken'],
  ['undoRotation', 'undoRotation'],
  ['previewIncident', 'previewIncident'],
  ['startIncident', 'startIncident'],
  ['cancelIncident', 'cancelIncident'],
  ['requestRotation', 'requestRotation'],
  ['requestWebhookAct', 'requestWebhookAct: resume it'],
  ['rotateOnRequest', 'rotateOnRequest'],
  ['revokeLeakedKey', 'revokeLeakedKey'],
  ['withdrawRotationRequest', 'withdrawRotationRequest'],
  ['declineRotationRequest', 'declineRotationRequest'],
  ['createWebhook', 'createWebhook'],
  ['updateWebhook', 'updateWebhook'],
  ['countBacklog', 'getWebhookBacklog'],
  ['deleteWebhook', 'deleteWebhook'],
  ['regenerateWebhookSecret', 'regenerateWebhookSecret'],
  ['confirmSecret', 'confirmSecret'],
  ['retryDelivery', 'retryDelivery', ({ params }) => [params['delivery']]],
  ['sendTest', 'testWebhook'],
  [
    'countReplay',
    'createReplay: as a dry run',
    ({ params, body: { since, status } }) => [params['webhook'], { since, status }],
  ],
  ['createReplay', 'createReplay'],
  ['cancelReplay', 'cancelReplay', ({ params }) => [params['replay']]],
  ['updateAccount', 'updateAccount: what support can be shown'],
  ['updateAccount', 'updateAccount: when sessions end'],
  ['updateAccount', 'updateAccount: its name'],
  ['deleteAccount', 'deleteAccount', fieldsOfBody],
  ['restoreAccount', 'restoreAccount'],
  ['setInstallationSupport', 'setInstallationSupport'],
  ['openSupportVisit', 'openSupportVisit'],
  ['endSupportVisit', 'endSupportVisit'],
  ['searchDesk', 'searchDesk'],
  ['findToken', 'findToken'],
  ['reportUnknownLeak', 'reportUnknownLeak'],
  ['changeMemberRole', 'changeMemberRole: of a viewer'],
  ['changeMemberRole', 'changeMemberRole: to owner'],
  ['changeMemberRole', 'changeMemberRole: of an owner'],
  ['removeMember', 'removeMember: a viewer'],
  ['removeMember', 'removeMember: an owner'],
  ['leaveAccount', 'leaveAccount'],
  ['createInvitation', 'createInvitation: of a viewer'],
  ['createInvitation', 'createInvitation: of an owner'],
  ['renewInvitation', 'renewInvitation'],
  ['revokeInvitation', 'revokeInvitation'],
  ['openLink', 'openLink', fieldsOfBody],
  ['checkInvitation', 'checkInvitation', () => []],
  ['acceptInvitation', 'acceptInvitation', withoutToken],
  ['joinAccount', 'joinAccount', withoutToken],
  ['signIn', 'signIn'],
  ['finishSignIn', 'finishSignIn', ({ body }) => [{ recovery_code: body['recovery_code'] }]],
  ['startPasskeySignIn', 'startPasskeySignIn', () => []],
  ['confirmIdentity', 'confirmIdentity'],
  ['startPasskeyProof', 'startPasskeyProof'],
  ['chooseAccount', 'chooseAccount', fieldsOfBody],
  ['endSession', 'endSession'],
  ['endOtherSessions', 'endOtherSessions'],
  ['changePassword', 'changePassword'],
  ['renamePerson', 'renamePerson', fieldsOfBody],
  ['updateMailPreferences', 'updateMailPreferences'],
  ['requestEmailChange', 'requestEmailChange', fieldsOfBody],
  ['cancelEmailChange', 'cancelEmailChange'],
  ['startApp', 'startApp'],
  ['confirmApp', 'confirmApp'],
  ['removeApp', 'removeApp'],
  ['startPasskey', 'startPasskey'],
  ['addPasskey', 'addPasskey'],
  ['renamePasskey', 'renamePasskey'],
  ['removePasskey', 'removePasskey'],
  ['createRecoveryCodes', 'createRecoveryCodes'],
  ['requestPasswordReset', 'requestPasswordReset', fieldsOfBody],
  ['checkPasswordReset', 'checkPasswordReset', () => []],
  ['finishPasswordReset', 'finishPasswordReset', withoutToken],
  ['checkEmailConfirmation', 'checkEmailConfirmation', () => []],
  ['confirmEmail', 'confirmEmail', () => []],
  ['checkEmailRevocation', 'checkEmailRevocation', () => []],
  ['revokeEmailChange', 'revokeEmailChange', () => []],
  ['checkSetUpToken', 'checkSetUpToken', () => []],
  ['setUp', 'setUp', withoutToken],
];

type Given = { params: Record<string, string>; body: Record<string, unknown> };

function tokenAsNumber({ params: { apiKey, token } }: Given): unknown[] {
  return [apiKey, Number(token)];
}

function fieldsOfBody({ body }: Given): unknown[] {
  return Object.values(body);
}

/** The token of a link is in a cookie. */
function withoutToken({ body }: Given): unknown[] {
  return [Object.fromEntries(Object.entries(body).filter(([name]) => !(name in linkOfToken)))];
}

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
  'checkEmailRevocation',
  'revokeEmailChange',
  'checkSetUpToken',
  'setUp',
];

/**
 * Cases whose outcome depends on facts that the service does not get, or on who somebody is apart
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
  'somebody whose session is a week old',
  'owner whose session is older than the account allows',
  'owner whose session token was replaced',
  'owner whose proof is half an hour old',
  'owner who lacks the required second factor',
  'owner of an account that is being deleted',
  'admin of an account that is being deleted',
];

/** Programs are no browsers, and the dashboard's server always has its credential. */
const browserNames = personNames.filter((name) => isFullRun || !knownToService.includes(name));

function isBrowser(asker: AskerName): boolean {
  return browserNames.some((name) => name === asker);
}

const routes = [...publicRoutes, ...dashboardRoutes];
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

test('every server action has its row in the table', () => {
  expect(new Set(table.map(([action]) => action))).toEqual(new Set(actions.keys()));
});

describe('a server action acts for those who may, and refuses everybody else', () => {
  test.each(table)('%s: %s', async (name, of, argumentsOf) => {
    const right = rightsTable.find((each) => each.name === of);
    const action = actions.get(name);
    if (!right || !action) throw new Error(`there is no right ${of}, or no action ${name}`);
    const outcomes = outcomesOf(name, right);
    const browsers = world.askers.all.filter(({ name: asker }) => isBrowser(asker));
    const results = await askForEverybody(world, {
      right,
      outcomes,
      askers: browsers,
      isReading: false,
      async ask(asker, input) {
        const given = argumentsOf?.(givenOf(input)) ?? argumentsFrom(right, input);
        return outcomeOf(await inRequest(requestOf(asker, input), () => action(...given)));
      },
    });
    const expected = browsers.map((asker) => [asker.name, outcomes[asker.name]]);
    expect(results).toEqual(Object.fromEntries(expected));
  });
});

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
function outcomesOf(action: string, { outcomes }: Right): Right['outcomes'] {
  const alike = (name: AskerName) =>
    withoutSession.includes(action) ? outcomes['nobody signed in'] : outcomes[name];
  const all = askerNames.map((name) => [name, others[action]?.[name] ?? alike(name)]);
  return Object.fromEntries(all) as Right['outcomes'];
}

/** The path parameters in order, the body, and an `Idempotency-Key` if the route takes one. */
function argumentsFrom({ route: name }: Right, { params = {}, body }: Input): unknown[] {
  const route = routes.find((each) => each.name === name);
  return [
    ...Object.values(params),
    ...(body === undefined ? [] : [body]),
    ...(route?.onRepeat ? [crypto.randomUUID()] : []),
  ];
}

function givenOf({ params = {}, body = {} }: Input): Given {
  return { params, body: body as Given['body'] };
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
