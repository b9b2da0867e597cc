import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { mailPreferenceTable } from './mail-preference-table.ts';
import type { MailPreference } from './mail-preference-table.ts';
import { keysOf } from '#lib/object-keys.ts';

const names = keysOf(mailPreferenceTable);

const isWanted = z.boolean({ error: 'Use true or false.' });

/** Whether the person gets each kind of email. */
export const mailPreferences = z.object({
  api_keys: isWanted,
  webhooks: isWanted,
  rotation_requests: isWanted,
  new_members: isWanted,
} satisfies Record<MailPreference, z.ZodBoolean>);

export type MailPreferences = z.infer<typeof mailPreferences>;

export const getMailPreferences = defineRoute({
  name: 'getMailPreferences',
  method: 'GET',
  path: '/api/dashboard/mail-preferences',
  summary: 'Get which optional emails the person gets',
  description: 'They are the same in every account. All are on until the person turns them off.',
  access: 'person',
  response: { 200: success(mailPreferences) },
});

export const updateMailPreferencesInput = z
  .strictObject(mailPreferences.partial().shape)
  .refine((given) => names.some((name) => given[name] !== undefined), {
    error: 'Include at least one of them.',
  });

export const updateMailPreferences = defineRoute({
  name: 'updateMailPreferences',
  method: 'PATCH',
  path: '/api/dashboard/mail-preferences',
  summary: 'Turn emails on or off for the person who is signed in',
  description: 'Preferences that are left out stay as they are.',
  access: 'person',
  body: updateMailPreferencesInput,
  response: { 200: success(mailPreferences) },
});
