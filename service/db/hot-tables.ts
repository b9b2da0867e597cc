import { apiKeyTokens } from './schema/api-keys/api-key-tokens.ts';
import { apiKeys } from './schema/api-keys/api-keys.ts';
import { auditEntries, auditHeads } from './schema/audit.ts';
import { conversations, messages } from './schema/conversations.ts';
import { attempts, deliveries } from './schema/webhooks/deliveries.ts';
import { events } from './schema/webhooks/events.ts';
import { idempotentResponses } from './schema/idempotent-responses.ts';
import { lanes } from './schema/webhooks/lanes.ts';
import { replays } from './schema/webhooks/replays.ts';
import { sessions } from './schema/people/sessions.ts';
import { webhooks } from './schema/webhooks/webhooks.ts';

/** Tables to which normal use adds rows, or whose rows it changes. */
export const hotTables = [
  apiKeyTokens,
  apiKeys,
  webhooks,
  sessions,
  conversations,
  messages,
  events,
  deliveries,
  attempts,
  lanes,
  replays,
  idempotentResponses,
  auditEntries,
  auditHeads,
];
