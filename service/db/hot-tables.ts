import { apiKeyTokens } from './schema/api-key-tokens.ts';
import { apiKeys } from './schema/api-keys.ts';
import { auditEntries, auditHeads } from './schema/audit.ts';
import { conversations, messages } from './schema/conversations.ts';
import { attempts, deliveries } from './schema/deliveries.ts';
import { events } from './schema/events.ts';
import { idempotentAnswers } from './schema/idempotent-answers.ts';
import { lanes } from './schema/lanes.ts';
import { replays } from './schema/replays.ts';
import { sessions } from './schema/sessions.ts';
import { webhooks } from './schema/webhooks.ts';

/** The tables whose rows are rewritten or added with use. */
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
  idempotentAnswers,
  auditEntries,
  auditHeads,
];
