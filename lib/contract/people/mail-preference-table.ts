/** The emails that a person can turn off, for all accounts; none of them is about security. */
export const mailPreferenceTable = {
  api_keys: {
    label: 'API keys',
    description:
      'A key expires soon or has not been used for 90 days, or you did not confirm a token that was shown to you.',
  },
  webhooks: {
    label: 'Webhooks',
    description: 'A webhook fails or was deactivated, or you did not confirm its secret.',
  },
  rotation_requests: {
    label: 'Outcomes of requests',
    description:
      'A request that you made or received is done, declined, withdrawn or expired, or its key was revoked.',
  },
  new_members: {
    label: 'New members',
    description: 'Someone joined an account whose team you manage.',
  },
} as const satisfies Record<string, { label: string; description: string }>;

export type MailPreference = keyof typeof mailPreferenceTable;
