<<<<<<< HEAD
import { z } from 'zod';
import { success } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { mailPreferenceTable } from './mail-preference-table.ts';
import type { MailPreference } from './mail-preference-table.ts';
=======
/**
 * What a person can choose not to be told of by mail, in all of their accounts. Whatever concerns the
 * safety of a sign-in, a key or an account is mailed to them in any case.
 */
export const mailPreferenceTable = {
  api_keys: {
    label: 'API keys',
    description: 'A token was shown to you and you did not confirm having it.',
  },
  webhooks: {
    label: 'Webhooks',
    description: 'A webhook fails or was deactivated, or you did not confirm having its secret.',
  },
  rotation_requests: {
    label: 'Outcomes of rotation requests',
    description: 'What became of a rotation that you asked for, or were asked for.',
  },
  new_members: {
    label: 'New members',
    description: 'Somebody joined an account of which you manage the team.',
  },
} as const satisfies Record<string, { label: string; description: string }>;
>>>>>>> e6744bc (Tell outcomes of rotation requests the way other mails to members are told)

const names = Object.keys(mailPreferenceTable) as MailPreference[];

/** Whether the person is told by mail, for each of them. */
export const mailPreferences = z.object({
  api_keys: z.boolean(),
  webhooks: z.boolean(),
  rotation_requests: z.boolean(),
  new_members: z.boolean(),
} satisfies Record<MailPreference, z.ZodBoolean>);

export type MailPreferences = z.infer<typeof mailPreferences>;

export const getMailPreferences = defineRoute({
  name: 'getMailPreferences',
  method: 'GET',
  path: '/api/dashboard/mail-preferences',
  summary: 'Which mails one gets of those that can be turned off',
  description: 'They are the same in every account. All are on until somebody turns them off.',
  access: 'person',
  reply: { 200: success(mailPreferences) },
});

export const updateMailPreferencesInput = z
  .strictObject(mailPreferences.partial().shape)
  .refine((given) => names.some((name) => given[name] !== undefined), {
    error: 'Give at least one of them.',
  });

export const updateMailPreferences = defineRoute({
  name: 'updateMailPreferences',
  method: 'PATCH',
  path: '/api/dashboard/mail-preferences',
  summary: 'Turn mails on or off for oneself',
  description: 'What is not given stays as it is.',
  access: 'person',
  body: updateMailPreferencesInput,
  reply: { 200: success(mailPreferences) },
});
