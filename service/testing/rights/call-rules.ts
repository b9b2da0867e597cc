import type { LimitName } from '../../limiter/limits.ts';

/*
 * What every call obeys apart from who calls, written by hand like the table of rights: it repeats
 * what the contract says, and disagrees with a contract that is wrong.
 */

/** Acts that show a secret, widen or end something, or change where messages go. */
export const proofNeeded: readonly string[] = [
  'createApiKey',
  'createApiKey: a full key',
  'updateApiKey',
  'updateApiKey: a full key',
  'revokeApiKey',
  'revokeApiKey: a full key',
  'pauseApiKey',
  'pauseApiKey: a full key',
  'resumeApiKey',
  'resumeApiKey: a full key',
  'endPreviousToken',
  'endToken: of a key no stronger than support',
  'endToken: of a full key',
  'extendToken: of a key no stronger than support',
  'extendToken: of a full key',
  'rotateApiKey: a key no stronger than support',
  'rotateApiKey: with a grace period of an hour',
  'rotateApiKey: with a grace period of less than an hour',
  'rotateApiKey: a bot key',
  'rotateApiKey: a full key',
  'rotateOnRequest',
  'revokeLeakedKey',
  'replaceUnconfirmedToken',
  'undoRotation',
  'startIncident',
  'createWebhook',
  'updateWebhook: its URL',
  'deleteWebhook',
  'regenerateWebhookSecret',
  'endWebhookSecret',
  'testWebhook: with a type of its own',
  'updateAccount: what support can be shown',
  'updateAccount: when sessions end',
  'deleteAccount',
  'restoreAccount',
  'setInstallationSupport',
  'changeMemberRole: of a viewer',
  'changeMemberRole: to owner',
  'changeMemberRole: of an owner',
  'removeMember: a viewer',
  'removeMember: an owner',
  'leaveAccount',
  'createInvitation: of a viewer',
  'createInvitation: of an owner',
  'renewInvitation',
  'joinAccount: with a new password',
  'endSession',
  'endOtherSessions',
  'requestEmailChange',
  'startApp',
  'confirmApp',
  'removeApp',
  'startPasskey',
  'addPasskey',
  'removePasskey',
  'createRecoveryCodes',
];

/**
 * Routes that a session token can call although it was replaced a moment ago, and that do not only
 * read.
 */
export const replacedTokenSuffices: readonly string[] = [
  'signOut',
  'confirmIdentity',
  'startPasskeyProof',
  'searchDesk',
  'findToken',
  'reportUnknownLeak',
];

/** Routes that refuse some callers only after their input was read: the key decides. */
export const refusedByVerb: readonly string[] = ['rotateCallingApiKey', 'rotateOnRequest'];

/** The status of success, where it is not 200. */
const successes: Readonly<Record<number, readonly string[]>> = {
  201: [
    'createApiKey',
    'rotateApiKey',
    'rotateCallingApiKey',
    'rotateOnRequest',
    'replaceUnconfirmedToken',
    'requestRotation',
    'requestWebhookAct',
    'startIncident',
    'createWebhook',
    'regenerateWebhookSecret',
    'createReplay',
    'createConversation',
    'createMessage',
    'createInvitation',
    'renewInvitation',
    'acceptInvitation',
    'joinAccount',
    'openSupportVisit',
    'openLink',
    'signIn',
    'finishSignIn',
    'startPasskeySignIn',
    'startPasskeyProof',
    'confirmIdentity',
    'startApp',
    'confirmApp',
    'startPasskey',
    'addPasskey',
    'createRecoveryCodes',
    'requestEmailChange',
    'provisionAccount',
  ],
  202: ['testWebhook', 'retryDelivery', 'sendEvent', 'requestPasswordReset'],
  204: [
    'revokeApiKey',
    'endPreviousToken',
    'endToken',
    'extendToken',
    'revokeLeakedKey',
    'notifyOwnersOfExpiry',
    'withdrawRotationRequest',
    'declineRotationRequest',
    'confirmToken',
    'undoRotation',
    'confirmSecret',
    'endWebhookSecret',
    'deleteWebhook',
    'restoreAccount',
    'remindMember',
    'removeMember',
    'revokeInvitation',
    'endSupportVisit',
    'reportUnknownLeak',
    'signOut',
    'endSession',
    'removeApp',
    'removePasskey',
    'cancelEmailChange',
    'deleteProvisionedAccount',
  ],
};

/** The status with which a call succeeds. A dry run makes nothing. */
export function successOf({ name, route }: { name: string; route: string }): number {
  if (name.includes('as a dry run')) return 200;
  const found = Object.entries(successes).find(([, routes]) => routes.includes(route));
  return Number(found?.[0] ?? 200);
}

/** The limits against which a call counts that is carried out, apart from those of all calls. */
export const limitsOf: Readonly<Record<string, readonly LimitName[]>> = {
  createApiKey: ['creation', 'account-creation'],
  createWebhook: ['creation', 'account-creation'],
  testWebhook: ['webhook-test'],
  retryDelivery: ['delivery-retry'],
  notifyOwnersOfExpiry: ['expiry-notice'],
  remindMember: ['factor-reminder'],
  checkSignature: ['signature-check'],
  dryRunFilter: ['filter-dry-run'],
  exportAuditLog: ['audit-export'],
  createInvitation: ['invitation'],
  renewInvitation: ['invitation'],
  requestEmailChange: ['email-change'],
  searchAccounts: ['account-search'],
  searchDesk: ['desk-search'],
  findToken: ['desk-search'],
  reportUnknownLeak: ['desk-search'],
  signIn: ['sign-in-address', 'sign-in-email-address', 'sign-in-email', 'new-device-mail'],
  finishSignIn: ['second-factor', 'new-device-mail'],
  startPasskeySignIn: ['passkey-challenge'],
  confirmIdentity: ['proof', 'wrong-proof'],
  changePassword: ['proof', 'wrong-proof'],
  confirmApp: ['second-factor'],
  openLink: ['link-address'],
  checkInvitation: ['link-address'],
  acceptInvitation: ['link-address'],
  requestPasswordReset: [
    'password-reset-address',
    'password-reset-email-address',
    'password-reset-email',
  ],
  checkPasswordReset: ['link-address'],
  finishPasswordReset: ['link-address'],
  checkEmailConfirmation: ['link-address'],
  confirmEmail: ['link-address'],
  confirmWebhookContact: ['link-address'],
  checkEmailRevocation: ['link-address'],
  revokeEmailChange: ['link-address'],
};

/** Limits of emails: when one is used up, the call is done, and sends no email. */
export const refuseSilently: readonly LimitName[] = [
  'password-reset-email-address',
  'password-reset-email',
  'new-device-mail',
];

/** Acts that end the rights of a token. A key's account cannot use up its calls of them. */
export const endsTokens: readonly string[] = [
  'rotateApiKey',
  'revokeApiKey',
  'pauseApiKey',
  'endPreviousToken',
  'endToken',
];

/** What a call does that is sent again with its `Idempotency-Key`; other routes ignore it. */
export const repeats: Readonly<Record<string, 'same response' | 'fresh secret'>> = {
  createWebhook: 'same response',
  createConversation: 'same response',
  createMessage: 'same response',
  createApiKey: 'fresh secret',
  rotateApiKey: 'fresh secret',
  rotateCallingApiKey: 'fresh secret',
  rotateOnRequest: 'fresh secret',
  replaceUnconfirmedToken: 'fresh secret',
  regenerateWebhookSecret: 'fresh secret',
};

/** Routes whose responses have a token or a signing secret, which no other response has. */
export const showsSecret: readonly string[] = [
  'createApiKey',
  'rotateApiKey',
  'rotateCallingApiKey',
  'rotateOnRequest',
  'replaceUnconfirmedToken',
  'regenerateWebhookSecret',
  'provisionAccount',
];

/** Routes whose body may be left out. */
export const bodyOptional: readonly string[] = [
  'rotateApiKey',
  'rotateCallingApiKey',
  'rotateOnRequest',
  'revokeApiKey',
  'pauseApiKey',
  'resumeApiKey',
  'regenerateWebhookSecret',
  'testWebhook',
  'retryDelivery',
  'sendEvent',
  'cancelReplay',
  'closeConversation',
];

/** Routes that refuse query parameters that they do not know; others ignore them. */
export const refusesUnknownParameters: readonly string[] = [
  'listDeliveries',
  'getWebhookStatistics',
  'listEvents',
  'listEventTypes',
  'listApiKeys',
  'getApiKeyUsage',
  'listConversations',
  'listMessages',
  'listAuditEntries',
  'exportAuditLog',
  'streamEvents',
  'searchAccounts',
  'listDeskRequests',
  'listRotationRequestHistory',
  'findFailedCalls',
  'findNearEvents',
  'listApiKeysUsedFrom',
];
