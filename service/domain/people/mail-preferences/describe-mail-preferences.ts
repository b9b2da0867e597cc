import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { MailPreferences } from '#lib/contract/people/mail-preferences.ts';

/** What somebody turned off, as the dashboard shows it. */
export function describeMailPreferences(turnedOff: readonly MailPreference[]): MailPreferences {
  return {
    api_keys: !turnedOff.includes('api_keys'),
    webhooks: !turnedOff.includes('webhooks'),
    rotation_requests: !turnedOff.includes('rotation_requests'),
    new_members: !turnedOff.includes('new_members'),
  };
}
