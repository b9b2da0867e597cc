import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { name, success, timestamp } from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';
import { supportAccess } from '../rights/support-access.ts';
import { sessionHours } from './session-hours.ts';

/** The settings of an account. */
export const account = z.object({
  id: z.string(),
  name: z.string(),
  support: supportAccess,
  second_factor_required_from: timestamp
    .nullable()
    .describe('From when on members need a second factor to act in it; null if they need none.'),
  session_hours: z
    .literal(sessionHours)
    .describe('How long after the password was given a session ends in it, in hours.'),
});

export type Account = z.infer<typeof account>;

/** Of fields that it does not know, zod says which. */
const objectAdvice = ({ code }: { code?: string }) =>
  code === 'invalid_type' ? 'Use an object with the fields to change.' : undefined;

export const updateAccountInput = z
  .strictObject({
    name,
    support: z
      .strictObject(supportAccess.partial().shape, { error: objectAdvice })
      .refine((input) => Object.keys(input).length > 0, {
        message: 'Include at least one field to change.',
      }),
    second_factor_required_from: instantField
      .nullable()
      .describe('null: members no longer need a second factor.'),
    session_hours: z.literal(sessionHours, {
      error: `Use one of ${sessionHours.slice(0, -1).join(', ')} and ${sessionHours.at(-1)}.`,
    }),
  })
  .partial()
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Include at least one field to change.',
  })
  .meta({
    examples: [{ support: { tokens: 'webhook_and_bot', payloads: false }, session_hours: 12 }],
  });

export type UpdateAccountInput = z.input<typeof updateAccountInput>;

const deleteAccountInput = z.strictObject({
  name: boundedText(1000, { error: 'Type the name of the account.' }).describe(
    'The name of the account, as a confirmation.',
  ),
});

const deletion = z.object({
  erased_at: timestamp.describe(
    'Until when it can be restored; after that, all of its data is erased.',
  ),
});

export const getAccount = defineRoute({
  name: 'getAccount',
  method: 'GET',
  path: '/api/dashboard/account',
  summary: 'Get the settings of the account',
  access: { scope: null, act: 'account.read' },
  response: { 200: success(account) },
});

export const updateAccount = defineRoute({
  name: 'updateAccount',
  method: 'PATCH',
  path: '/api/dashboard/account',
  summary: 'Change settings of the account',
  description:
    'For owners. A change applies from the next request on: a session that is older than `session_hours` no longer opens this account, and ends once it opens none.',
  access: { scope: null, act: 'account.manage' },
  needsProof: { fields: ['support', 'second_factor_required_from', 'session_hours'] },
  body: updateAccountInput,
  response: { 200: success(account) },
});

export const deleteAccount = defineRoute({
  name: 'deleteAccount',
  method: 'POST',
  path: '/api/dashboard/account/deletion',
  summary: 'Delete the account',
  description:
    'For owners. Its keys stop working immediately, nothing is sent to its webhooks, and only its owners can find it. They can restore it for 7 days; after that, all of its data is erased. Deleting it again changes nothing.',
  access: { scope: null, act: 'account.manage' },
  worksInDeletedAccount: true,
  needsProof: true,
  body: deleteAccountInput,
  response: { 200: success(deletion) },
});

export const restoreAccount = defineRoute({
  name: 'restoreAccount',
  method: 'DELETE',
  path: '/api/dashboard/account/deletion',
  summary: 'Restore the account after it was deleted',
  description:
    'For owners, for 7 days. Its keys work again and pending deliveries are sent. An account that is not deleted stays as it is.',
  access: { scope: null, act: 'account.manage' },
  worksInDeletedAccount: true,
  needsProof: true,
  stateRefusal: { account: ['This account can no longer be restored.'] },
  response: { 204: null },
});
