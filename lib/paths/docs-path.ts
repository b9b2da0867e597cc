import { pagePartsOf } from './account-path.ts';

/** The chapter of the documentation about a page of an account's settings. @param path full */
export function chapterPathOf(path: string): string {
  return `/docs/guides/${chapters[pagePartsOf(path).area ?? ''] ?? 'admin'}`;
}

/** By the area of the settings. That of API keys is the first of its guide. */
export const chapters: Readonly<Record<string, string>> = {
  'rotation-requests': 'admin#answer-a-request',
  webhooks: 'admin#create-a-webhook',
  events: 'admin#find-out-why-an-event-did-not-arrive',
  'audit-log': 'admin#see-who-changed-what',
  team: 'owner',
  account: 'owner#choose-what-support-can-see',
  profile: 'personal-settings',
  security: 'personal-settings',
};
