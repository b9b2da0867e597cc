import { z } from 'zod';
import { boundedText, rawText } from '../fields/bounded-text.ts';
import { success, timestamp } from '../fields/fields.ts';
import { hasNoSecret, isPlainText } from '../fields/plain-text.ts';
import { roles } from '../rights/roles.ts';
import { defineRoute } from '../route.ts';
import { supportAccess } from '../rights/support-access.ts';
import { visitReasonError } from './visits.ts';

/** What the owners of an account allow people who support the whole installation to do there. */
const access = {
  is_allowed: z
    .boolean({ error: 'Use true or false.' })
    .describe('Whether they can open the account. If not, it does not exist for them.'),
  ...supportAccess.shape,
};

/** A person who supports every account of the installation that allows it. */
const supporter = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z
    .enum(roles)
    .nullable()
    .describe(
      'The role of a supporter who is also a member of the account: this role then applies. Else null.',
    ),
  added_at: timestamp,
  last_opened_at: timestamp
    .nullable()
    .describe('When they last gave a reason to open this account; null if never.'),
  last_reason: z.string().nullable(),
});

export const installationSupport = z.object({ ...access, people: z.array(supporter) });

export type InstallationSupport = z.infer<typeof installationSupport>;

export const getInstallationSupport = defineRoute({
  name: 'getInstallationSupport',
  method: 'GET',
  path: '/api/dashboard/installation-support',
  summary: 'Get who supports the whole installation, and what they may do in the account',
  access: { scope: null, act: 'team.read' },
  response: { 200: success(installationSupport) },
});

export const setInstallationSupportInput = z
  .strictObject(access)
  .partial()
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Include at least one field to change.',
  })
  .meta({ examples: [{ is_allowed: true }] });

export const setInstallationSupport = defineRoute({
  name: 'setInstallationSupport',
  method: 'PATCH',
  path: '/api/dashboard/installation-support',
  summary: 'Set whether installation support can open the account, and what they can be shown',
  description:
    'For owners. It applies from their next request on. If they can no longer open the account, their visits and the rotation requests that they made end.',
  access: { scope: null, act: 'account.manage' },
  needsProof: true,
  body: setInstallationSupportInput,
  response: { 200: success(installationSupport) },
});

export const openSupportVisitInput = z.strictObject({
  reason: rawText(2000, {
    error: 'Explain why you are opening the account.',
    tooLong: 'Use at most 500 characters.',
  })
    .transform((text) => text.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .superRefine((text, ctx) => {
          const error = visitReasonError(text);
          if (error !== null) ctx.addIssue(error);
        })
        .max(500, 'Use at most 500 characters.')
        .refine(isPlainText, 'Use one line, without text-direction and zero-width characters.')
        .refine(hasNoSecret, 'Leave tokens and secrets out of the reason.'),
    ),
});

export const openSupportVisit = defineRoute({
  name: 'openSupportVisit',
  method: 'POST',
  path: '/api/dashboard/support-visits',
  summary: 'Give the reason for opening the account, as installation support',
  description:
    'Until then, installation support can see and do nothing in the account. The reason is valid for the session, for 12 hours at most. It is recorded in the audit log of the account, and everyone in the account sees the latest one. A further reason, such as for another ticket, replaces it. Members need no reason.',
  access: 'person',
  body: openSupportVisitInput,
  response: { 201: success(z.object({ ends_at: timestamp })) },
});

export const endSupportVisit = defineRoute({
  name: 'endSupportVisit',
  method: 'DELETE',
  path: '/api/dashboard/support-visits',
  summary: 'End your visit as installation support',
  description:
    'For the session of the call. Afterwards, opening the account needs a new reason. Without an open visit, nothing changes.',
  access: 'person',
  response: { 204: null },
});

const foundAccount = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles).nullable().describe('Null: the person does not belong to it.'),
});

export const searchAccounts = defineRoute({
  name: 'searchAccounts',
  method: 'GET',
  path: '/api/dashboard/accounts',
  summary: 'Find accounts that installation support can open, by name',
  description:
    'Returns at most 20 accounts, including those that you belong to. Each person can search 60 times a minute. For installation support only.',
  access: 'session',
  query: z.strictObject({
    search: boundedText(100)
      .refine((text) => !text.includes('\0'), 'Remove control characters.')
      .default('')
      .describe(
        'A part of the name, in any case, or the whole ID. Default: the first accounts by name.',
      ),
  }),
  response: { 200: success(z.array(foundAccount)) },
});
