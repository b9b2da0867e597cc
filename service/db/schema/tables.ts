import { accounts } from './people/accounts.ts';
import {
  apiKeyTokens,
  replacedTokens,
  tokenCalls,
  tokenAddresses,
} from './api-keys/api-key-tokens.ts';
import { apiKeys } from './api-keys/api-keys.ts';
import { auditEntries, auditHeads } from './audit.ts';
import { conversations, messages } from './conversations.ts';
import { credentials, passwordResets } from './people/credentials.ts';
import { deliveries, attempts } from './webhooks/deliveries.ts';
import { eventStreams } from './webhooks/event-streams.ts';
import { events } from './webhooks/events.ts';
import { idempotentResponses } from './idempotent-responses.ts';
import { processes, repairs } from './installation.ts';
import { callCounts, callers, failedCalls } from './api-keys/calls.ts';
import { incidents, incidentKeys } from './api-keys/incidents.ts';
import { lanes, workers } from './webhooks/lanes.ts';
import { members, invitations } from './people/members.ts';
import { notices } from './people/notices.ts';
import { people, setUpTokens, emailChanges } from './people/people.ts';
import { replays } from './webhooks/replays.ts';
import { rotationRequests } from './api-keys/rotation-requests.ts';
import {
  authenticatorApps,
  passkeys,
  passkeyChallenges,
  recoveryCodes,
} from './people/second-factors.ts';
import { sessions, pendingSignIns } from './people/sessions.ts';
import { settings } from './settings.ts';
import { provisioners } from './people/provisioners.ts';
import { installationSupport, supportVisits, deskSearches } from './people/support.ts';
import { webhookHeaders, webhooks, webhookSecrets } from './webhooks/webhooks.ts';

/** Every table of the service, for code that concerns all of them. */
export const tables = {
  people,
  setUpTokens,
  emailChanges,
  credentials,
  passwordResets,
  sessions,
  pendingSignIns,
  authenticatorApps,
  passkeys,
  passkeyChallenges,
  recoveryCodes,
  provisioners,
  accounts,
  members,
  invitations,
  installationSupport,
  supportVisits,
  deskSearches,
  notices,
  settings,
  apiKeys,
  apiKeyTokens,
  replacedTokens,
  tokenCalls,
  tokenAddresses,
  callCounts,
  callers,
  failedCalls,
  incidents,
  incidentKeys,
  rotationRequests,
  webhooks,
  webhookHeaders,
  webhookSecrets,
  conversations,
  messages,
  events,
  eventStreams,
  idempotentResponses,
  deliveries,
  attempts,
  lanes,
  workers,
  processes,
  repairs,
  replays,
  auditEntries,
  auditHeads,
};
