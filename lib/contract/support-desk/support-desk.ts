import { z } from 'zod';
import { apiKeyStatuses } from '../api-keys/api-key.ts';
import { findTokenInput, tokenState } from '../api-keys/token-search.ts';
import { delivery } from '../deliveries/delivery.ts';
import { rawText } from '../fields/bounded-text.ts';
import { success, timestamp } from '../fields/fields.ts';
import { isPlainText } from '../fields/plain-text.ts';
import { roles } from '../rights/roles.ts';
import { defineRoute } from '../route.ts';
import { webhookStatuses } from '../webhooks/webhook.ts';
import { readPasted } from './pasted-text.ts';
import { splitSearch } from './split-search.ts';

/** The most that a search finds of each kind at a time. */
export const maxFoundOnDesk = 10;

/** An account in which something was found, and what opening it takes. */
export const foundIn = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles).nullable().describe('Null: the person does not belong to it.'),
  needs_reason: z
    .boolean()
    .describe('Whether they must give a reason for opening it before they see more of it.'),
});

/** What is shown of a result only once the account is open: null before a reason was given. */
export function detailed<Item extends z.ZodRawShape, Details extends z.ZodRawShape>(
  item: Item,
  details: Details,
) {
  return z.object({
    account: foundIn,
    ...item,
    details: z.object(details).nullable().describe('Null before a reason was given.'),
  });
}

const foundKey = detailed(
  { id: z.int(), uuid: z.string(), name: z.string() },
  {
    last_four: z.string().describe('Of the newest token.'),
    older_last_four: z
      .string()
      .nullable()
      .describe('Of an older token, if that was searched for and the newest has others.'),
    status: z.enum(apiKeyStatuses),
    unconfirmed: z
      .object({ was_shown: z.boolean().describe('Whether the token was shown to anyone.') })
      .nullable()
      .describe('Set if the newest token was neither confirmed nor used; otherwise null.'),
    rotating_until: timestamp.nullable().describe('Until when an older token is still valid.'),
    revoked_at: timestamp.nullable(),
    revoked_by: z.string().nullable().describe('The name of the person who revoked it.'),
    last_used_at: timestamp.nullable(),
    last_used_ip: z.string().nullable(),
    expires_at: timestamp.nullable(),
    may: z
      .enum(['rotate', 'request', 'nothing'])
      .describe(
        '`rotate`: they can be shown a new token. `request`: they can ask a member to rotate it. `nothing`: their role does neither, or the key has ended.',
      ),
    open_request: z
      .object({
        uuid: z.string().nullable().describe('Null if they may not see the request.'),
      })
      .nullable()
      .describe(
        'The open rotation request that prevents them from making another, unless they report a leak; null if they can make one, or cannot or need not ask.',
      ),
  },
);

const foundWebhook = detailed(
  {
    id: z.int(),
    name: z.string(),
    url: z
      .string()
      .describe('The scheme and host only, followed by `/…`, unless they may change webhooks.'),
  },
  {
    status: z.enum(webhookStatuses),
    is_failing: z
      .boolean()
      .describe('Whether it is active and failed three times, or for five minutes.'),
    last_triggered_at: timestamp.nullable(),
  },
);

const foundDelivery = detailed(
  {
    named: z
      .enum(['delivery', 'event', 'message', 'conversation'])
      .describe('The object with the id that was searched for.'),
    uuid: z.string().nullable().describe('Of the delivery; null if it was sent to no webhook.'),
    event_type: z.string().nullable(),
    webhook: z.object({ id: z.int(), name: z.string() }).nullable(),
  },
  {
    status: delivery.shape.status,
    attempt_count: z.int(),
    next_attempt_at: timestamp.nullable(),
    last_error: z.string().nullable(),
    last_attempt_at: timestamp.nullable(),
    is_webhook_active: z.boolean(),
  },
);

const foundPerson = detailed(
  { id: z.string(), name: z.string() },
  { email: z.string(), role: z.enum(roles), last_seen_at: timestamp.nullable() },
);

/** The kinds of results, in the order in which the desk shows them. */
const deskKinds = ['accounts', 'keys', 'webhooks', 'deliveries', 'people'] as const;

export type DeskKind = (typeof deskKinds)[number];

/** Some of what was found, and whether there is more. */
function found<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), has_more: z.boolean() });
}

export const deskResults = z.object({
  accounts: found(foundIn),
  keys: found(foundKey),
  webhooks: found(foundWebhook),
  deliveries: found(foundDelivery),
  people: found(foundPerson),
});

export type DeskResults = z.infer<typeof deskResults>;
export type FoundKey = z.infer<typeof foundKey>;
export type FoundDelivery = z.infer<typeof foundDelivery>;
export type FoundKeyDetails = NonNullable<FoundKey['details']>;
export type FoundIn = z.infer<typeof foundIn>;

export const supportDesk = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  is_installation_support: z.boolean(),
  account_count: z.int().describe('How many accounts they can open.'),
  recent_accounts: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('Those they used last, at most 5.'),
});

export type SupportDesk = z.infer<typeof supportDesk>;

export const getSupportDesk = defineRoute({
  name: 'getSupportDesk',
  method: 'GET',
  path: '/api/dashboard/support-desk',
  summary: 'Get the person at the support desk, and how many accounts they can open',
  access: 'session',
  response: { 200: success(supportDesk) },
});

const skipAdvice = 'Use a whole number from 1 to 1000.';

export const searchDeskInput = z.strictObject({
  search: rawText(400, { error: 'Enter what you are looking for.' })
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, 'Enter what you are looking for.')
        .refine(
          (text) => splitSearch(text).words.join(' ').length <= 200,
          'Use at most 200 characters.',
        )
        .refine(isPlainText, 'Use one line, without text-direction and zero-width characters.')
        // The audit logs of the accounts in which something was found contain the text.
        .refine(
          (text) => readPasted(text).kind === 'text',
          'Leave tokens and secrets out, and search for the last four characters.',
        ),
    ),
  more: z
    .strictObject(
      {
        of: z.enum(deskKinds, { error: `Use one of: ${deskKinds.join(', ')}.` }),
        skip: z.int(skipAdvice).min(1, skipAdvice).max(1000, skipAdvice),
      },
      { error: 'Give the kind of results as of, and how many of them to skip.' },
    )
    .optional()
    .describe(
      'Continues an earlier search for the same text: returns only results of this kind, without the first ones. Default: all kinds, from the first result.',
    ),
});

export type SearchDeskInput = z.input<typeof searchDeskInput>;

export const searchDesk = defineRoute({
  name: 'searchDesk',
  method: 'POST',
  path: '/api/dashboard/support-desk/searches',
  summary: 'Find accounts, keys, webhooks, deliveries and people in all accounts that you can open',
  description:
    'Searches by words, each of which is a part of a name, URL or email address or of the name of the account, in any case; by id or UUID, also of a delivery, an event, a message or a conversation, or by `webhook-id`, which find deliveries; and for keys by the last four characters of a token. Equal names come first. `account:` with a part of a name or an id searches in one account. Before a reason for opening an account was given, an email address is found only by the whole of it, and so is the path or query of a URL by people who may not change webhooks. Returns at most 10 of each kind; `more` reads the next ones. The search is audited in each account of which it showed a key, webhook, delivery or person; operators can list every search. Each person can search 60 times a minute.',
  access: 'session',
  takesReplacedSession: true,
  body: searchDeskInput,
  response: { 200: success(deskResults) },
});

export const foundToken = z.object({
  state: tokenState,
  valid_until: timestamp
    .nullable()
    .describe('When it ends or ended; null: never, or no reason was given yet.'),
  last_used_at: timestamp
    .nullable()
    .describe('When this token was used last; null: never, or no reason was given yet.'),
  key: foundKey.nullable().describe('Null if the token is unknown.'),
  leak_revocations_left: z
    .int()
    .nullable()
    .describe(
      'How many more keys the person may revoke now because they reported a leak; null if the token is unknown.',
    ),
});

export type FoundToken = z.infer<typeof foundToken>;

export const findToken = defineRoute({
  name: 'findToken',
  method: 'POST',
  path: '/api/dashboard/support-desk/token-searches',
  summary: 'Find the key of a token, and whether the token works',
  description:
    'Searches by the digest of the token, in all accounts that you can open; the token itself is never sent. The search is audited in the account of the key. Counts as a search.',
  access: 'session',
  takesReplacedSession: true,
  body: findTokenInput,
  response: { 200: success(foundToken) },
});

export const reportUnknownLeak = defineRoute({
  name: 'reportUnknownLeak',
  method: 'POST',
  path: '/api/dashboard/support-desk/leak-reports',
  summary: 'Tell the owners of an account that you cannot open about a leaked token',
  description:
    'If a key has the token with this digest, the owners and admins of its account get an email with your name and address, at most once a day for each key. The response is the same if no key has it. Counts as a search.',
  access: 'session',
  takesReplacedSession: true,
  body: findTokenInput,
  response: { 204: null },
});
