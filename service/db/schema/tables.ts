import { accounts } from './accounts.ts';
import { apiKeyTokens, tokenCalls, tokenAddresses } from './api-key-tokens.ts';
import { apiKeys } from './api-keys.ts';
import { auditEntries, auditHeads } from './audit.ts';
import { conversations, messages } from './conversations.ts';
import { credentials, verifications, passwordResets } from './credentials.ts';
import { deliveries, attempts } from './deliveries.ts';
import { events } from './events.ts';
import { idempotentAnswers } from './idempotent-answers.ts';
import { incidents, incidentKeys } from './incidents.ts';
import { lanes, workers } from './lanes.ts';
import { members, invitations } from './members.ts';
import { sentNotices } from './notices.ts';
import { people, setUpTokens, emailChanges } from './people.ts';
import { replays } from './replays.ts';
import { rotationRequests } from './rotation-requests.ts';
import { authenticatorApps, passkeys, passkeyChallenges, recoveryCodes } from './second-factors.ts';
import { sessions, pendingSignIns } from './sessions.ts';
import { settings } from './settings.ts';
import { installationSupport, supportVisits, deskSearches } from './support.ts';
import { webhooks, webhookSecrets } from './webhooks.ts';

/** Every table of the service, for what concerns them all. */
export const tables = {
  people,
  setUpTokens,
  emailChanges,
  credentials,
  verifications,
  passwordResets,
  sessions,
  pendingSignIns,
  authenticatorApps,
  passkeys,
  passkeyChallenges,
  recoveryCodes,
  accounts,
  members,
  invitations,
  installationSupport,
  supportVisits,
  deskSearches,
  sentNotices,
  settings,
  apiKeys,
  apiKeyTokens,
  tokenCalls,
  tokenAddresses,
  incidents,
  incidentKeys,
  rotationRequests,
  webhooks,
  webhookSecrets,
  conversations,
  messages,
  events,
  idempotentAnswers,
  deliveries,
  attempts,
  lanes,
  workers,
  replays,
  auditEntries,
  auditHeads,
};
