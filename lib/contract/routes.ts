import * as apiKeys from './api-keys.ts';
import * as auditLog from './audit-log.ts';
import * as conversations from './conversations.ts';
import * as dashboard from './dashboard.ts';
import * as eventTypes from './event-types.ts';
import type { RouteDefinition } from './route.ts';
import * as webhooks from './webhooks.ts';

/** Every public operation, for what must walk them all: the OpenAPI document and the tests. */
export const publicRoutes: readonly RouteDefinition[] = [
  webhooks.listWebhooks,
  webhooks.createWebhook,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.regenerateWebhookSecret,
  apiKeys.listApiKeys,
  apiKeys.createApiKey,
  apiKeys.rotateApiKey,
  apiKeys.getApiKey,
  apiKeys.updateApiKey,
  apiKeys.revokeApiKey,
  apiKeys.endPreviousToken,
  apiKeys.getCallingApiKey,
  conversations.listConversations,
  conversations.createConversation,
  conversations.getConversation,
  conversations.closeConversation,
  conversations.listMessages,
  conversations.createMessage,
  auditLog.listAuditEntries,
  eventTypes.listEventTypes,
];

/** What only the dashboard's server calls, besides the public operations. */
export const dashboardRoutes: readonly RouteDefinition[] = [
  dashboard.signIn,
  dashboard.getSession,
  dashboard.signOut,
  dashboard.getSetUp,
  dashboard.checkSetUpToken,
  dashboard.setUp,
];
