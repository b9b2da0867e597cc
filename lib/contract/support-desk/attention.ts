import { z } from 'zod';
import { requestActs, requestReasons } from '../api-keys/rotation-reasons.ts';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { detailed } from './support-desk.ts';

/** How many items of each kind are shown at most. */
export const maxAttentionOfKind = 50;

const target = z.object({
  kind: z.enum(['api_key', 'webhook']),
  uuid: z.string(),
  name: z.string(),
});
const since = timestamp.describe('Since when.');
const lastUse = {
  last_used_at: timestamp.nullable().describe('The last successful call with any of its tokens.'),
  last_used_ip: z.string().nullable(),
};

/** Something that someone should look at, in one of the accounts that the person can open. */
export const attentionItem = z.discriminatedUnion('kind', [
  detailed(
    {
      kind: z.literal('leak_reported'),
      request: z.string().describe('UUID of the report.'),
      target,
      since,
    },
    { asked: z.string().describe('The name of the member who was asked.'), ...lastUse },
  ),
  detailed(
    {
      kind: z.literal(['webhook_deactivated', 'webhook_failing']),
      id: z.int(),
      name: z.string(),
      host: z.string().describe('The host of its URL.'),
      status_code: z
        .int()
        .nullable()
        .describe('Of the response to its last failed attempt; null if there was none.'),
      since,
    },
    {
      error: z
        .string()
        .nullable()
        .describe('Why that attempt failed, if it was not because of the status code.'),
      body_excerpt: z
        .string()
        .nullable()
        .describe(
          'The beginning of that response; null if it is empty, or the person may not read what receivers wrote.',
        ),
      waiting: z.int().describe('How many deliveries wait, counted up to 1,000.'),
      next_attempt_at: timestamp.nullable(),
    },
  ),
  detailed(
    { kind: z.literal('request_open'), target, since },
    {
      request: z.string().nullable().describe('UUID of the request; null if they may not see it.'),
      act: z.enum(requestActs),
      asked: z.string().nullable().describe('The name of the member who was asked; null likewise.'),
      reason: z.enum(requestReasons).nullable().describe('Null if they may not see the request.'),
      expires_at: timestamp,
    },
  ),
  detailed(
    {
      kind: z.literal('key_expiring'),
      uuid: z.string(),
      name: z.string(),
      expires_at: timestamp,
    },
    { ...lastUse, responsible: z.string().nullable().describe('The name of the person to ask.') },
  ),
  detailed(
    { kind: z.literal('email_undeliverable'), id: z.string(), name: z.string(), since },
    {
      email: z.string(),
      status_code: z
        .int()
        .nullable()
        .describe('Of the reply of the mail server; null if the email was given up without one.'),
      reply: z.string().nullable().describe('The rest of that reply.'),
      waiting: z.int().describe('How many emails to this person will be tried again.'),
    },
  ),
]);

export type AttentionItem = z.infer<typeof attentionItem>;

const group = z.object({
  total: z
    .int()
    .describe(
      `There can be more than items: these are at most ${maxAttentionOfKind} of each kind.`,
    ),
  items: z.array(attentionItem),
});

export const attention = z.object({
  as_of: timestamp,
  now: group.describe('Broken or exposed: webhooks that fail or were deactivated, and leaks.'),
  today: group.describe(
    'Ends within 24 hours, or someone is waiting: keys that expire, open requests, and emails that cannot be delivered.',
  ),
  this_week: group.describe('Keys that expire within 7 days.'),
});

export type Attention = z.infer<typeof attention>;

export const listAttention = defineRoute({
  name: 'listAttention',
  method: 'GET',
  path: '/api/dashboard/support-desk/attention',
  summary: 'List what needs attention in all accounts that you can open, most urgent first',
  description:
    'Webhooks that fail or were deactivated within the retention period; reports of a leak while a token or secret still works that existed when it was made; open requests; keys that expire within 7 days; and people whose email the mail server refuses, or to whom an email was given up. Each only if the role of the person shows them such things. Nothing is recorded: opening an account is.',
  access: 'session',
  response: { 200: success(attention) },
});
