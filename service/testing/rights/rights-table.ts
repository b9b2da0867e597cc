import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { keysOf } from '#lib/object-keys.ts';
import { accountName, password } from './askers.ts';
import type { Asker, AskerName, keyNames, personNames } from './askers.ts';
import { proofNeeded, replacedTokenSuffices } from './call-rules.ts';
import type { Things } from './things.ts';

/** The outcome of a request: it is `done`, or refused with this status, or with this code of 403. */
export type Outcome = 'done' | 401 | 403 | 404 | 422 | 'PROOF_REQUIRED' | 'SESSION_RENEWED';

/** The resources and the body of a request. */
export type Input = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** The token with which the asker calls, in place of their own. */
  token?: string;
  headers?: Record<string, string>;
};

type MakeInput = (things: Things, asker: Asker) => Input | Promise<Input>;

/** One line of the table. */
export type Right = {
  /** The name of the route, followed by a colon and the case if the route has several. */
  name: string;
  /** The route's name in the contract. */
  route: string;
  outcomes: Record<AskerName, Outcome>;
  makeInput: MakeInput;
  /** Whether the input names the asker, so that the outcome depends on it. */
  namesAsker?: true;
};

const owners: readonly Role[] = ['owner'];
const managers: readonly Role[] = ['owner', 'admin'];
const helpers: readonly Role[] = ['owner', 'admin', 'support'];
const everyone: readonly Role[] = ['owner', 'admin', 'support', 'viewer'];

/** The outcome for people, apart from what their session decides. */
type PersonOutcomes = Record<Exclude<(typeof personNames)[number], SessionName>, Outcome>;

type SessionName =
  | 'owner whose session token was replaced'
  | 'owner whose proof is half an hour old';

/**
 * Outcomes outside of the account. An account that is being deleted does not exist, not even for
 * people who are not its members.
 */
const outside = {
  'installation support where it is switched off': 404,
  'owner of another account': 404,
  'admin of an account that is being deleted': 404,
  'person of no account': 401,
  'nobody signed in': 401,
  'someone whose session ended': 401,
  'someone whose session is a week old': 401,
  'owner whose session is older than the account allows': 401,
} as const;

/** Acts in an account, by members with one of the roles. Installation support counts as support. */
function byRole(roles: readonly Role[]): PersonOutcomes {
  const of = (role: Role) => (roles.includes(role) ? 'done' : 403);
  return {
    ...outside,
    owner: of('owner'),
    admin: of('admin'),
    support: of('support'),
    viewer: of('viewer'),
    'installation support with a reason': of('support'),
    'installation support without a reason': 403,
    'owner who lacks the required second factor': 403,
    'owner of an account that is being deleted': 404,
  };
}

/** Acts of people that concern themselves, in any account. */
const byPeople: PersonOutcomes = {
  ...outside,
  owner: 'done',
  admin: 'done',
  support: 'done',
  viewer: 'done',
  'installation support with a reason': 'done',
  'installation support without a reason': 'done',
  'owner who lacks the required second factor': 'done',
  'owner of an account that is being deleted': 'done',
};

/** Acts that are also open to people without an account. */
const byAnyoneSignedIn: PersonOutcomes = {
  ...byPeople,
  'person of no account': 'done',
};

/** Acts before signing in. */
const byNobodySignedIn: PersonOutcomes = {
  ...outside,
  owner: 403,
  admin: 403,
  support: 403,
  viewer: 403,
  'installation support with a reason': 403,
  'installation support without a reason': 403,
  'owner who lacks the required second factor': 403,
  'owner of an account that is being deleted': 403,
  'nobody signed in': 'done',
};

/** Acts of a key that concern itself. */
const byProgram: PersonOutcomes = { ...byNobodySignedIn, 'nobody signed in': 401 };

type KeyOutcomes = Record<(typeof keyNames)[number], Outcome>;

/** Every scope, with the scopes that include it. */
const scopes = {
  'conversations:read': [],
  'conversations:write': [],
  'messages:write': [],
  'webhooks:read': ['webhooks:manage'],
  'webhooks:manage': [],
  'events:read': ['events:listen'],
  'events:listen': [],
  'api-keys:read': ['api-keys:manage'],
  'api-keys:manage': [],
  'audit-log:read': [],
} as const satisfies Record<Scope, readonly Scope[]>;

/** The outcome for keys: with any scopes, with this scope, or for no key. */
function byKey(needed: 'any' | Scope | null): KeyOutcomes {
  const holding: readonly string[] =
    needed === null || needed === 'any' ? [] : [needed, ...scopes[needed]];
  const full = needed === null ? 403 : 'done';
  const ofScopes = keysOf(scopes).map((scope) => [
    `API key for ${scope}`,
    needed === 'any' || holding.includes(scope) ? 'done' : 403,
  ]);
  return {
    ...(Object.fromEntries(ofScopes) as Record<`API key for ${Scope}`, Outcome>),
    'full API key': full,
    'API key without scopes': needed === 'any' ? 'done' : 403,
    // It changes no key.
    'replaced token of a full API key': needed === 'api-keys:manage' ? 403 : full,
    'ended token of a full API key': 401,
    'revoked API key': 401,
    'expired API key': 401,
    'API key outside of its networks': 403,
    'API key that nobody made': 401,
    provisioner: 401,
    'provisioner that expired': 401,
    'anyone without a credential': 401,
  };
}

const nothing: MakeInput = () => ({});

function right(
  name: string,
  { people, keys }: { people: PersonOutcomes; keys: KeyOutcomes },
  makeInput: MakeInput = nothing,
): Right {
  const [route = ''] = name.split(':');
  return { name, route, outcomes: { ...people, ...bySession(name, people), ...keys }, makeInput };
}

/** An owner may do less with some sessions, wherever an owner may do something. */
function bySession(name: string, { owner }: PersonOutcomes): Record<SessionName, Outcome> {
  const [route = ''] = name.split(':');
  const reads =
    /^(?:get|list|export|stream|findDeliveries|findFailedCalls|findNearEvents|searchAccounts)/.test(
      route,
    );
  const mayBeReplaced = reads || owner === 403 || replacedTokenSuffices.includes(route);
  return {
    'owner whose session token was replaced': mayBeReplaced ? owner : 'SESSION_RENEWED',
    'owner whose proof is half an hour old':
      owner === 'done' && proofNeeded.includes(name) ? 'PROOF_REQUIRED' : owner,
  };
}

/** An act of members with one of the roles, and of keys with the scope. */
function api(name: string, [scope, roles]: [Scope, readonly Role[]], makeInput?: MakeInput): Right {
  return right(name, { people: byRole(roles), keys: byKey(scope) }, makeInput);
}

/** An act on a key that does more than manage keys: the key that acts needs its scopes too. */
function ofStrongKey(name: string, roles: readonly Role[], makeInput: MakeInput): Right {
  return but(api(name, ['api-keys:manage', roles], makeInput), {
    'API key for api-keys:manage': 403,
  });
}

/** An act of members with one of the roles, but not of keys. */
function members(name: string, roles: readonly Role[], makeInput?: MakeInput): Right {
  return right(name, { people: byRole(roles), keys: byKey(null) }, makeInput);
}

function person(name: string, makeInput?: MakeInput): Right {
  return right(name, { people: byPeople, keys: byKey(null) }, makeInput);
}

/** An act of installation support alone, outside of any account. */
function supporters(name: string): Right {
  return but(signedIn(name), {
    owner: 403,
    admin: 403,
    support: 403,
    viewer: 403,
    'person of no account': 403,
    'owner whose session token was replaced': 403,
    'owner whose proof is half an hour old': 403,
    'owner who lacks the required second factor': 403,
    'owner of an account that is being deleted': 403,
  });
}

function signedIn(name: string, makeInput?: MakeInput): Right {
  return right(name, { people: byAnyoneSignedIn, keys: byKey(null) }, makeInput);
}

/** An act of provisioners, of which nobody else learns that it exists. */
function provisioning(name: string, makeInput: MakeInput): Right {
  const keys = Object.entries(byKey('any')).map(([each, outcome]) => [
    each,
    outcome === 'done' ? 404 : outcome,
  ]);
  const people = Object.entries({ ...byPeople, ...bySession(name, byPeople) }).map(
    ([each, outcome]) => [each, outcome === 401 ? 401 : 404],
  );
  const outcomes = Object.fromEntries([...people, ...keys]) as Record<AskerName, Outcome>;
  const [route = ''] = name.split(':');
  return { name, route, outcomes: { ...outcomes, provisioner: 'done' }, makeInput };
}

function beforeSignIn(name: string, makeInput?: MakeInput): Right {
  return right(name, { people: byNobodySignedIn, keys: byKey(null) }, makeInput);
}

/** The same right with different outcomes for some askers. */
function but(given: Right, others: Partial<Record<AskerName, Outcome>>): Right {
  return { ...given, outcomes: { ...given.outcomes, ...others } };
}

const webhook: MakeInput = async (things) => ({ params: { webhook: await things.webhook() } });
const delivery: MakeInput = async (things) => ({ params: { delivery: await things.delivery() } });
const replay: MakeInput = async (things) => ({ params: { replay: await things.replay() } });
const fullKey: MakeInput = async (things) => ({ params: { apiKey: await things.fullKey() } });
const smallKey: MakeInput = async (things) => ({ params: { apiKey: await things.smallKey() } });
const conversation: MakeInput = async (things) => ({
  params: { conversation: await things.conversation() },
});
const incident: MakeInput = async (things) => ({ params: { incident: await things.incident() } });
const invitation: MakeInput = async (things) => ({
  params: { invitation: await things.invitation() },
});
const passkey: MakeInput = async (things, asker) => ({
  params: { passkey: await things.passkey(asker) },
});
const rotatedSmallKey: MakeInput = async (things) => ({
  params: await things.rotated(await things.smallKey()),
});
const rotatedFullKey: MakeInput = async (things) => ({
  params: await things.rotated(await things.fullKey()),
});
const requestBy: MakeInput = async (things, asker) => ({
  params: { rotationRequest: await things.requestBy(asker) },
});
const requestTo: MakeInput = async (things, asker) => ({
  params: { rotationRequest: await things.requestTo(asker) },
  body: {},
});
const declinedRequest: MakeInput = async (things, asker) => ({
  params: { rotationRequest: await things.requestTo(asker) },
  body: { reason: 'later' },
});
const newestToken: MakeInput = async (things, asker) => {
  const { apiKey, lastFour } = await things.shownToken(asker);
  return { params: { apiKey }, body: { expected_last_four: lastFour } };
};

const someMember =
  (role: 'owner' | 'viewer'): MakeInput =>
  async (things) => ({ params: { member: await things.member(role) } });

/** The same input with a body. */
const withBody =
  (makeInput: MakeInput, body: unknown): MakeInput =>
  async (things, asker) => ({ ...(await makeInput(things, asker)), body });

const bodyAlone =
  (body: unknown): MakeInput =>
  () => ({ body });

const since = '2026-11-20T00:00:00Z';
const nextPassword = 'a staple that nobody knows';

/**
 * Who may do what. This table is written by hand: it repeats what the contract and its table of
 * roles say. Every route has a line for each case that different people may perform.
 */
export const rightsTable: readonly Right[] = [
  // API keys
  api('listApiKeys', ['api-keys:read', everyone]),
  api('getApiKey', ['api-keys:read', everyone], fullKey),
  api(
    'createApiKey',
    ['api-keys:manage', managers],
    bodyAlone({ name: 'New', type: 'limited', scopes: ['api-keys:read'] }),
  ),
  ofStrongKey('createApiKey: a full key', managers, bodyAlone({ name: 'New', type: 'full' })),
  api('updateApiKey', ['api-keys:manage', managers], withBody(smallKey, { name: 'Renamed' })),
  ofStrongKey('updateApiKey: a full key', managers, withBody(fullKey, { name: 'Renamed' })),
  api('revokeApiKey', ['api-keys:manage', managers], withBody(smallKey, { reason: 'Gone' })),
  ofStrongKey('revokeApiKey: a full key', managers, withBody(fullKey, { reason: 'Gone' })),
  api('pauseApiKey', ['api-keys:manage', managers], withBody(smallKey, {})),
  ofStrongKey('pauseApiKey: a full key', managers, withBody(fullKey, {})),
  api('resumeApiKey', ['api-keys:manage', managers], withBody(smallKey, {})),
  ofStrongKey('resumeApiKey: a full key', managers, withBody(fullKey, {})),
  api('endPreviousToken', ['api-keys:manage', managers], rotatedSmallKey),
  api(
    'endToken: of a key no stronger than support',
    ['api-keys:manage', managers],
    rotatedSmallKey,
  ),
  ofStrongKey('endToken: of a full key', managers, rotatedFullKey),
  api(
    'rotateApiKey: a key no stronger than support',
    ['api-keys:manage', helpers],
    withBody(smallKey, {}),
  ),
  api(
    'rotateApiKey: with a grace period of an hour',
    ['api-keys:manage', helpers],
    withBody(smallKey, { grace_period_seconds: 3600 }),
  ),
  api(
    'rotateApiKey: with a grace period of less than an hour',
    ['api-keys:manage', managers],
    withBody(smallKey, { grace_period_seconds: 3599 }),
  ),
  api(
    'rotateApiKey: as a dry run',
    ['api-keys:manage', helpers],
    withBody(smallKey, { dry_run: true }),
  ),
  api(
    'rotateApiKey: as a dry run without a grace period',
    ['api-keys:manage', managers],
    withBody(smallKey, { grace_period_seconds: 0, dry_run: true }),
  ),
  ofStrongKey('rotateApiKey: a bot key', managers, async (things) => ({
    params: { apiKey: await things.botKey() },
    body: {},
  })),
  ofStrongKey('rotateApiKey: a full key', managers, withBody(fullKey, {})),
  members('findTokenOfAccount', everyone, bodyAlone({ token_digest: 'a1'.repeat(32) })),
  members('listTokensShownToOthers', managers, fullKey),
  members('listTokensOfLeavers', everyone),
  api('listTokenUse', ['api-keys:read', everyone], fullKey),
  api(
    'extendToken: of a key no stronger than support',
    ['api-keys:manage', managers],
    async (things, asker) => ({
      ...(await rotatedSmallKey(things, asker)),
      body: things.extension(),
    }),
  ),
  ofStrongKey('extendToken: of a full key', managers, async (things, asker) => ({
    ...(await rotatedFullKey(things, asker)),
    body: things.extension(),
  })),
  members('listOldTokens', everyone),
  api('getApiKeyUsage', ['api-keys:read', everyone], fullKey),
  members('listCallsOfKeys', everyone),
  members('listFailedCalls', everyone, fullKey),
  members('findFailedCalls', everyone, () => ({ query: { request_id: 'req-1' } })),
  members('confirmToken', helpers, async (things, asker) => {
    const { apiKey, lastFour } = await things.shownToken(asker);
    return { params: { apiKey }, body: { last_four: lastFour } };
  }),
  members('replaceUnconfirmedToken', helpers, newestToken),
  members('undoRotation', helpers, newestToken),
  right('getCallingApiKey', { people: byProgram, keys: byKey('any') }),
  right(
    'rotateCallingApiKey: before an owner or admin lets it',
    { people: byProgram, keys: byKey(null) },
    bodyAlone({}),
  ),
  but(
    right(
      'rotateCallingApiKey: once an owner or admin let it',
      { people: byProgram, keys: byKey(null) },
      async (things, asker) => ({
        body: {},
        ...(asker.name === 'full API key' && { token: await things.selfRotatingKey() }),
      }),
    ),
    { 'full API key': 'done' },
  ),
  members('getQuotas', everyone),

  // Incidents
  members('listApiKeysUsedFrom', managers, () => ({ query: { address: '203.0.113.7' } })),
  members('previewIncident', managers, async (things) => {
    const { act, keys } = await things.incidentBody();
    return { body: { act, keys } };
  }),
  members('startIncident', managers, async (things) => ({ body: await things.incidentBody() })),
  members('listIncidents', managers),
  members('getIncident', managers, incident),
  members('cancelIncident', managers, incident),

  // Requests of members to one another
  members('listRotators', everyone, fullKey),
  members('listRotationRequests', everyone),
  members('listRotationRequestHistory', everyone),
  { ...members('getRotationRequest', everyone, requestBy), namesAsker: true },
  members('notifyOwnersOfExpiry', helpers, async (things) => ({
    params: { apiKey: await things.expiringKey() },
  })),
  members('requestRotation', helpers, async (things) => ({
    params: { apiKey: await things.fullKey() },
    body: { member: things.colleague, reason: 'lost' },
  })),
  members('requestWebhookAct: regenerate its secret', helpers, async (things) => ({
    params: { webhook: await things.webhook() },
    body: { act: 'regenerate_secret', member: things.colleague, reason: 'leaked' },
  })),
  members('requestWebhookAct: resume it', helpers, async (things) => ({
    params: { webhook: await things.pausedWebhook() },
    body: { act: 'resume', member: things.colleague },
  })),
  members('withdrawRotationRequest', helpers, requestBy),
  members('revokeLeakedKey', helpers, requestBy),
  { ...members('declineRotationRequest', helpers, declinedRequest), namesAsker: true },
  // A request to a member with the role support gives them no access to what they must not see.
  { ...members('rotateOnRequest', managers, requestTo), namesAsker: true },

  // Webhooks
  api('listWebhooks', ['webhooks:read', everyone]),
  api('getWebhook', ['webhooks:read', everyone], webhook),
  api(
    'createWebhook',
    ['webhooks:manage', managers],
    bodyAlone({ name: 'Hook', url: 'https://example.com/', events: ['message.created'] }),
  ),
  api('updateWebhook', ['webhooks:manage', managers], withBody(webhook, { name: 'Renamed' })),
  but(
    api(
      'updateWebhook: its URL',
      ['webhooks:manage', managers],
      withBody(webhook, { url: 'https://example.com/elsewhere' }),
    ),
    // The webhook gets events about keys, which this key may not read.
    { 'API key for webhooks:manage': 403 },
  ),
  but(
    api(
      'updateWebhook: its filter',
      ['webhooks:manage', managers],
      withBody(webhook, { filter: { '==': [{ var: 'type' }, 'message.created'] } }),
    ),
    { 'API key for webhooks:manage': 403 },
  ),
  api(
    'dryRunFilter',
    ['webhooks:manage', managers],
    bodyAlone({ filter: { '!': { var: 'data.message' } }, events: ['message.created'] }),
  ),
  api('getWebhookBacklog', ['webhooks:manage', managers], webhook),
  api('deleteWebhook', ['webhooks:manage', managers], webhook),
  api('regenerateWebhookSecret', ['webhooks:manage', managers], withBody(webhook, {})),
  api('endWebhookSecret', ['webhooks:manage', managers], async (things) => ({
    params: await things.oldSecret(),
  })),
  members('confirmSecret', managers, async (things, asker) => {
    const { webhook: id, lastFour } = await things.shownSecret(asker);
    return { params: { webhook: id }, body: { last_four: lastFour } };
  }),
  api('testWebhook', ['webhooks:manage', everyone], withBody(webhook, {})),
  but(
    api(
      'testWebhook: with a type of its own',
      ['webhooks:manage', managers],
      withBody(webhook, { type: 'message.created' }),
    ),
    { 'replaced token of a full API key': 403 },
  ),
  person('getWebhookTargets'),

  // Deliveries, events, conversations
  api('listDeliveries', ['events:read', everyone], webhook),
  api('getDeliveryTotals', ['events:read', everyone], webhook),
  api('getDelivery', ['events:read', everyone], delivery),
  members('findDeliveries', everyone, delivery),
  api('getWebhookStatistics', ['events:read', everyone], webhook),
  api('retryDelivery', ['webhooks:manage', helpers], withBody(delivery, {})),
  api(
    'checkSignature',
    ['events:read', everyone],
    withBody(webhook, {
      headers: { 'webhook-id': `msg_${'0'.repeat(8)}-0000-4000-8000-000000000000` },
    }),
  ),
  api('createReplay', ['webhooks:manage', helpers], withBody(webhook, { since, status: 'failed' })),
  api(
    'createReplay: as a dry run',
    ['webhooks:manage', helpers],
    withBody(webhook, { since, status: 'failed', dry_run: true }),
  ),
  api('getReplay', ['webhooks:manage', helpers], replay),
  api('cancelReplay', ['webhooks:manage', helpers], withBody(replay, {})),
  api('listEvents', ['events:read', everyone]),
  api('getEvent', ['events:read', everyone], async (things) => ({
    params: { event: await things.event() },
  })),
  api('streamEvents', ['events:listen', managers], webhook),
  api('sendEvent', ['webhooks:manage', helpers], async (things) => {
    const { event, later } = await things.missedEvent();
    return { params: { event }, body: { webhooks: [later] } };
  }),
  api('sendEvent: after subscribing', ['webhooks:manage', managers], async (things) => {
    const { event, unsubscribed } = await things.missedEvent();
    return { params: { event }, body: { webhooks: [unsubscribed], subscribe: true } };
  }),
  members('findNearEvents', everyone, () => ({ query: { about: '1' } })),
  api('listEventTypes', ['webhooks:read', everyone]),
  api('listConversations', ['conversations:read', managers]),
  api('getConversation', ['conversations:read', managers], conversation),
  api('createConversation', ['conversations:write', managers], bodyAlone({ subject: 'Order' })),
  api('closeConversation', ['conversations:write', managers], withBody(conversation, {})),
  api('listMessages', ['conversations:read', managers], conversation),
  api(
    'createMessage',
    ['messages:write', managers],
    withBody(conversation, { author: 'agent', text: 'Hello' }),
  ),
  api('listAuditEntries', ['audit-log:read', managers]),
  members('listFormerMembers', managers),
  api('exportAuditLog', ['audit-log:read', managers]),
  members('listChangesOfKey', helpers, fullKey),
  members('listChangesOfWebhook', helpers, webhook),

  // The account
  members('getAccount', everyone),
  members('getAccountUsage', everyone),
  members(
    'updateAccount: what support can be shown',
    owners,
    bodyAlone({ support: { tokens: 'within_role' } }),
  ),
  members('updateAccount: when sessions end', owners, bodyAlone({ session_hours: 168 })),
  members('updateAccount: its name', owners, bodyAlone({ name: accountName })),
  but(members('deleteAccount', owners, bodyAlone({ name: accountName })), {
    'owner of an account that is being deleted': 'done',
  }),
  but(members('restoreAccount', owners), { 'owner of an account that is being deleted': 'done' }),
  members('getInstallationSupport', everyone),
  members('setInstallationSupport', owners, bodyAlone({ is_allowed: true })),

  // The team
  members('listMembers', everyone),
  members(
    'changeMemberRole: of a viewer',
    managers,
    withBody(someMember('viewer'), { role: 'admin' }),
  ),
  members('changeMemberRole: to owner', owners, withBody(someMember('viewer'), { role: 'owner' })),
  members(
    'changeMemberRole: of an owner',
    owners,
    withBody(someMember('owner'), { role: 'admin' }),
  ),
  members('remindMember', managers, async (things) => ({
    params: { member: await things.memberWithoutFactor() },
  })),
  members('listShownSecrets', managers, someMember('viewer')),
  members('removeMember: a viewer', managers, someMember('viewer')),
  members('removeMember: an owner', owners, someMember('owner')),
  members('listInvitations', managers),
  members('createInvitation: of a viewer', managers, (things) => ({
    body: { email: things.email(), role: 'viewer' },
  })),
  members('createInvitation: of an owner', owners, (things) => ({
    body: { email: things.email(), role: 'owner' },
  })),
  members('renewInvitation', managers, invitation),
  members('revokeInvitation', managers, invitation),
  but(person('leaveAccount'), {
    'installation support with a reason': 404,
    'installation support without a reason': 404,
  }),
  signedIn('joinAccount', async (things, asker) => ({
    body: { invitation_token: await things.invitationOf(asker) },
  })),

  signedIn('joinAccount: with a new password', async (things, asker) => {
    await things.unverify(asker);
    return {
      body: { invitation_token: await things.invitationOf(asker), new_password: nextPassword },
    };
  }),

  // Installation support
  but(person('openSupportVisit', bodyAlone({ reason: 'Ticket 4711' })), {
    owner: 422,
    admin: 422,
    support: 422,
    viewer: 422,
    'owner whose proof is half an hour old': 422,
    'owner who lacks the required second factor': 422,
    'owner of an account that is being deleted': 422,
  }),
  person('endSupportVisit'),
  supporters('searchAccounts'),
  supporters('getInstallationStatus'),

  // Support desk: each person finds only what they may see
  signedIn('getSupportDesk'),
  signedIn('listAttention'),
  signedIn('searchDesk', bodyAlone({ search: 'Production' })),
  signedIn('listDeskRequests'),
  signedIn('findToken', bodyAlone({ token_digest: 'a1'.repeat(32) })),
  signedIn('reportUnknownLeak', bodyAlone({ token_digest: 'a1'.repeat(32) })),

  // Oneself
  person('getSession'),
  signedIn('signOut'),
  person('confirmIdentity', bodyAlone({ password })),
  person('chooseAccount', (_, { accountId }) => ({ body: { account: accountId } })),
  person('listSessions'),
  person('endSession', async (things, asker) => ({
    params: { session: await things.session(asker) },
  })),
  person('endOtherSessions'),
  person('changePassword', bodyAlone({ current_password: password, new_password: nextPassword })),
  person('renamePerson', bodyAlone({ name: 'Ida' })),
  person('getMailPreferences'),
  person('updateMailPreferences', bodyAlone({ webhooks: false })),
  person('getEmailChange'),
  person('requestEmailChange', (things) => ({ body: { email: things.email() } })),
  person('cancelEmailChange'),
  person('getSecondFactors'),
  person('startApp'),
  person('confirmApp', async (things, asker) => ({ body: { code: await things.appCode(asker) } })),
  person('startPasskey'),
  person('addPasskey', async (things, asker) => ({
    body: { name: 'Laptop', passkey: await things.newPasskey(asker) },
  })),
  person('renamePasskey', withBody(passkey, { name: 'Phone' })),
  // The only second factor, which their account requires.
  but(person('removePasskey', passkey), { 'owner who lacks the required second factor': 422 }),
  but(
    person('removeApp', async (things, asker) => {
      await things.app(asker);
      return {};
    }),
    { 'owner who lacks the required second factor': 422 },
  ),
  person('createRecoveryCodes', async (things, asker) => {
    await things.app(asker);
    return {};
  }),
  person('startPasskeyProof', async (things, asker) => {
    await things.passkey(asker);
    return {};
  }),

  // Before signing in
  beforeSignIn('signIn', (_, { email }) => ({ body: { email, password } })),
  beforeSignIn('finishSignIn', async (things) => ({ body: await things.pendingSignIn() })),
  beforeSignIn('startPasskeySignIn', async (things) => {
    const { pending_token: token } = await things.pendingSignIn();
    return { body: { pending_token: token } };
  }),
  beforeSignIn('openLink', async (things) => ({
    body: { kind: 'invitation', token: await things.invitationLink() },
  })),
  beforeSignIn('checkInvitation', async (things) => ({
    body: { invitation_token: await things.invitationLink() },
  })),
  beforeSignIn('acceptInvitation', async (things) => ({
    body: { invitation_token: await things.invitationLink(), name: 'Mika', password: nextPassword },
  })),
  beforeSignIn('requestPasswordReset', (things) => ({ body: { email: things.email() } })),
  beforeSignIn('checkPasswordReset', async (things) => ({ body: await things.resetLink() })),
  beforeSignIn('finishPasswordReset', async (things) => ({
    body: { ...(await things.resetLink()), new_password: nextPassword },
  })),
  beforeSignIn('checkEmailConfirmation', async (things) => ({
    body: { confirm_token: (await things.emailChange()).confirmToken },
  })),
  beforeSignIn('confirmEmail', async (things) => ({
    body: { confirm_token: (await things.emailChange()).confirmToken },
  })),
  beforeSignIn('confirmWebhookContact', async (things) => ({
    body: { contact_token: await things.contactLink() },
  })),
  beforeSignIn('checkEmailRevocation', async (things) => ({
    body: { revoke_token: (await things.emailChange()).revokeToken },
  })),
  beforeSignIn('revokeEmailChange', async (things) => ({
    body: { revoke_token: (await things.emailChange()).revokeToken },
  })),
  beforeSignIn('getSetUp'),
  // Nobody can set up a service that already has people.
  but(beforeSignIn('checkSetUpToken', bodyAlone({ set_up_token: 'x' })), {
    'nobody signed in': 422,
  }),
  but(
    beforeSignIn(
      'setUp',
      bodyAlone({
        set_up_token: 'x',
        account_name: 'Taken over',
        name: 'Mallory',
        email: 'mallory@example.com',
        password: nextPassword,
      }),
    ),
    { 'nobody signed in': 422 },
  ),

  // Provisioners
  provisioning('provisionAccount', () => ({
    body: {
      name: 'Suite',
      password: nextPassword,
      people: [{ name: 'Ann', email: `ann@${crypto.randomUUID()}.test`, role: 'owner' }],
    },
  })),
  provisioning('deleteProvisionedAccount', async (things) => ({
    params: { account: await things.provisionedAccount() },
  })),
];
