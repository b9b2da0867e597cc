import * as apiKeys from './api-keys/api-keys.ts';
import * as auditLog from './audit-log/audit-log.ts';
import * as changes from './audit-log/changes.ts';
import * as conversations from './conversations.ts';
import * as deliveries from './deliveries/deliveries.ts';
import * as foundDeliveries from './deliveries/found-deliveries.ts';
import * as deliveryTotals from './deliveries/delivery-totals.ts';
import * as eventFeed from './events/event-feed.ts';
import * as eventTypeCatalog from './events/event-type-catalog.ts';
import * as recordedEvents from './events/recorded-events.ts';
import * as accountUsage from './people/account-usage.ts';
import * as accounts from './people/accounts.ts';
import * as expiryNotice from './api-keys/expiry-notice.ts';
import * as failedCalls from './api-keys/failed-calls.ts';
import * as installationSupport from './people/installation-support.ts';
import * as emailChanges from './people/email-changes.ts';
import * as mailPreferences from './people/mail-preferences.ts';
import * as person from './people/person.ts';
import * as incidents from './api-keys/incidents/incidents.ts';
import * as invitations from './people/invitations.ts';
import * as members from './people/members.ts';
import * as links from './people/links.ts';
import * as provisioning from './people/provisioning.ts';
import * as passwordResets from './people/password-resets.ts';
import * as quotas from './quotas.ts';
import * as replays from './deliveries/replays.ts';
import * as rotationRequests from './api-keys/rotation-requests.ts';
import { isDashboardRoute } from './route.ts';
import type { DashboardRoute, RouteDefinition } from './route.ts';
import * as secondFactors from './people/second-factors.ts';
import * as sessions from './people/sessions.ts';
import * as setUp from './people/set-up.ts';
import * as signatureChecks from './deliveries/signature-checks.ts';
import * as signIn from './people/sign-in.ts';
import * as attention from './support-desk/attention.ts';
import * as deskRequests from './support-desk/desk-requests.ts';
import * as installationStatus from './support-desk/installation-status.ts';
import * as supportDesk from './support-desk/support-desk.ts';
import * as unconfirmedSecrets from './webhooks/unconfirmed-secrets.ts';
import * as shownTokens from './api-keys/shown-tokens.ts';
import * as usage from './api-keys/usage.ts';
import * as tokenUse from './api-keys/token-use.ts';
import * as tokenSearch from './api-keys/token-search.ts';
import * as unconfirmedTokens from './api-keys/unconfirmed-tokens.ts';
import * as filterDryRuns from './webhooks/filter-dry-runs.ts';
import * as webhookContact from './webhooks/webhook-contact.ts';
import * as webhookBacklog from './webhooks/webhook-backlog.ts';
import * as webhookTargets from './webhooks/webhook-targets.ts';
import * as webhookStatistics from './webhooks/webhook-statistics.ts';
import * as webhooks from './webhooks/webhooks.ts';

const forClients = [
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhookBacklog.getWebhookBacklog,
  webhooks.deleteWebhook,
  webhooks.regenerateWebhookSecret,
  webhooks.endWebhookSecret,
  deliveries.testWebhook,
  deliveries.listDeliveries,
  deliveryTotals.getDeliveryTotals,
  deliveries.getDelivery,
  deliveries.retryDelivery,
  signatureChecks.checkSignature,
  filterDryRuns.dryRunFilter,
  webhookStatistics.getWebhookStatistics,
  replays.createReplay,
  replays.getReplay,
  replays.cancelReplay,
  recordedEvents.listEvents,
  recordedEvents.getEvent,
  recordedEvents.sendEvent,
  eventFeed.streamEvents,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.rotateApiKey,
  apiKeys.getApiKey,
  apiKeys.updateApiKey,
  apiKeys.revokeApiKey,
  apiKeys.pauseApiKey,
  apiKeys.resumeApiKey,
  apiKeys.endPreviousToken,
  apiKeys.endToken,
  tokenUse.listTokenUse,
  tokenUse.extendToken,
  usage.getApiKeyUsage,
  apiKeys.getCallingApiKey,
  apiKeys.rotateCallingApiKey,
  conversations.listConversations,
  conversations.createConversation,
  conversations.getConversation,
  conversations.closeConversation,
  conversations.listMessages,
  conversations.createMessage,
  auditLog.listAuditEntries,
  auditLog.exportAuditLog,
  eventTypeCatalog.listEventTypes,
] as const;

const forDashboard = [
  signIn.signIn,
  signIn.finishSignIn,
  secondFactors.startPasskeySignIn,
  sessions.getSession,
  sessions.signOut,
  sessions.confirmIdentity,
  secondFactors.startPasskeyProof,
  sessions.chooseAccount,
  sessions.listSessions,
  sessions.endSession,
  sessions.endOtherSessions,
  sessions.changePassword,
  secondFactors.getSecondFactors,
  secondFactors.startApp,
  secondFactors.confirmApp,
  secondFactors.removeApp,
  secondFactors.startPasskey,
  secondFactors.addPasskey,
  secondFactors.renamePasskey,
  secondFactors.removePasskey,
  secondFactors.createRecoveryCodes,
  members.listMembers,
  members.changeMemberRole,
  members.remindMember,
  members.listShownSecrets,
  members.removeMember,
  members.leaveAccount,
  invitations.listInvitations,
  invitations.createInvitation,
  invitations.renewInvitation,
  invitations.revokeInvitation,
  invitations.checkInvitation,
  invitations.acceptInvitation,
  invitations.joinAccount,
  links.openLink,
  passwordResets.requestPasswordReset,
  passwordResets.checkPasswordReset,
  passwordResets.finishPasswordReset,
  emailChanges.getEmailChange,
  emailChanges.requestEmailChange,
  emailChanges.cancelEmailChange,
  emailChanges.checkEmailConfirmation,
  emailChanges.confirmEmail,
  webhookContact.confirmWebhookContact,
  emailChanges.checkEmailRevocation,
  emailChanges.revokeEmailChange,
  person.renamePerson,
  mailPreferences.getMailPreferences,
  mailPreferences.updateMailPreferences,
  accounts.getAccount,
  accountUsage.getAccountUsage,
  accounts.updateAccount,
  accounts.deleteAccount,
  accounts.restoreAccount,
  installationSupport.getInstallationSupport,
  installationSupport.setInstallationSupport,
  installationSupport.openSupportVisit,
  installationSupport.endSupportVisit,
  installationSupport.searchAccounts,
  supportDesk.getSupportDesk,
  attention.listAttention,
  installationStatus.getInstallationStatus,
  supportDesk.searchDesk,
  supportDesk.findToken,
  supportDesk.reportUnknownLeak,
  deskRequests.listDeskRequests,
  changes.listChangesOfKey,
  changes.listChangesOfWebhook,
  quotas.getQuotas,
  webhookTargets.getWebhookTargets,
  foundDeliveries.findDeliveries,
  recordedEvents.findNearEvents,
  rotationRequests.listRotationRequests,
  rotationRequests.listRotators,
  expiryNotice.notifyOwnersOfExpiry,
  rotationRequests.requestRotation,
  rotationRequests.requestWebhookAct,
  rotationRequests.rotateOnRequest,
  rotationRequests.revokeLeakedKey,
  rotationRequests.withdrawRotationRequest,
  rotationRequests.declineRotationRequest,
  rotationRequests.getRotationRequest,
  rotationRequests.listRotationRequestHistory,
  tokenSearch.findTokenOfAccount,
  shownTokens.listTokensShownToOthers,
  shownTokens.listTokensOfLeavers,
  auditLog.listFormerMembers,
  usage.listCallsOfKeys,
  tokenUse.listOldTokens,
  failedCalls.listFailedCalls,
  failedCalls.findFailedCalls,
  unconfirmedTokens.confirmToken,
  unconfirmedTokens.replaceUnconfirmedToken,
  unconfirmedTokens.undoRotation,
  tokenSearch.listApiKeysUsedFrom,
  incidents.previewIncident,
  incidents.startIncident,
  incidents.listIncidents,
  incidents.getIncident,
  incidents.cancelIncident,
  unconfirmedSecrets.confirmSecret,
  setUp.getSetUp,
  setUp.checkSetUpToken,
  setUp.setUp,
] as const;

const forProvisioners = [
  provisioning.provisionAccount,
  provisioning.deleteProvisionedAccount,
] as const;

/** Every public operation, for code that needs all of them: the OpenAPI document and the tests. */
export const publicRoutes: readonly RouteDefinition[] = forClients;

/** These, those that only the dashboard's server calls, and those for test suites. */
export const allRoutes: readonly RouteDefinition[] = [
  ...forClients,
  ...forDashboard,
  ...forProvisioners,
];

type Route = (typeof forClients | typeof forDashboard | typeof forProvisioners)[number];

export type Routes = { readonly [Each in Route as Each['name']]: Each };

/** Every route by its name. It has no prototype: no other name, such as `constructor`, is found. */
export const routes = Object.assign(
  Object.create(null),
  Object.fromEntries(allRoutes.map((route) => [route.name, route])),
) as Routes;

/** The names of the routes that the browser may read, as `isRead` decides. */
export type ReadName = {
  [Name in keyof Routes]: Routes[Name] extends DashboardRoute & { method: 'GET' }
    ? Routes[Name] extends { oneTime: true } | { streams: object } | { access: 'dashboard' }
      ? never
      : Name
    : never;
}[keyof Routes];

/** The route with this name if the browser may read it. */
export function findRead(name: string): DashboardRoute | null {
  const route = (routes as Record<string, RouteDefinition>)[name];
  return route && isRead(route) ? route : null;
}

/** Whether the browser may read the route: when someone is signed in, and into a cache. */
export function isRead(route: RouteDefinition): route is DashboardRoute {
  if (!isDashboardRoute(route) || route.method !== 'GET') return false;
  return !route.oneTime && !route.streams && route.access !== 'dashboard';
}

/**
 * The route with this name if someone who is signed in may try it in the documentation: it changes
 * something, and its response shows no token or secret.
 */
export function findChange(name: string): DashboardRoute | null {
  const route = publicRoutes.find((one) => one.name === name);
  if (!route || !isDashboardRoute(route) || route.method === 'GET') return null;
  return route.oneTime ? null : route;
}
