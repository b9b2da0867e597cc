/**
 * The chapter of the documentation about each page of the dashboard. A page is named by its path in
 * the settings of an account, or at the support desk, with `*` for an id.
 */
export const chapters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'api-keys': 'admin',
    'api-keys/new': 'admin#create-a-key',
    'api-keys/old-tokens': 'admin#end-an-old-token-when-nobody-uses-it',
    'api-keys/incident': 'incident#look-up-a-past-incident',
    'api-keys/incident/*': 'incident#look-up-a-past-incident',
    'api-keys/*': 'admin#find-change-pause-or-revoke-a-key',
    'api-keys/*/edit': 'admin#find-change-pause-or-revoke-a-key',
    'api-keys/*/usage': 'admin#see-what-a-key-does',
    'rotation-requests': 'admin#answer-a-request',
    'rotation-requests/*': 'admin#answer-a-request',
    webhooks: 'admin#create-a-webhook',
    'webhooks/new': 'admin#create-a-webhook',
    'webhooks/*': 'admin#see-whether-a-webhook-works',
    'webhooks/*/deliveries': 'admin#follow-deliveries-and-send-them-again',
    'webhooks/*/settings': 'admin#pause-change-or-delete-a-webhook',
    'webhooks/*/edit': 'admin#pause-change-or-delete-a-webhook',
    'webhooks/*/signature': 'webhook-receivers#find-out-why-a-signature-does-not-match',
    events: 'admin#find-out-why-an-event-did-not-arrive',
    'audit-log': 'admin#see-who-changed-what',
    team: 'owner',
    account: 'owner#choose-what-support-can-see',
    profile: 'personal-settings#change-your-name-or-email-address',
    security: 'personal-settings',
    support: 'support#find-what-a-customer-asks-about',
    'support/requests': 'support#request-the-rotation-of-a-stronger-key',
    'support/status': 'support#see-the-status-of-the-installation',
  }),
);

/** The address of the chapter about the page with this path, or else of the documentation. */
export function chapterPathOf(path: string): string {
  const [, page = ''] = /^\/(?:a\/[^/]*\/settings\/)?([^?#]*)/.exec(path) ?? [];
  const withoutId = page.replace(/^([^/]+(?:\/incident)?)\/[^/]+/, '$1/*');
  const chapter = chapters.get(page) ?? chapters.get(withoutId);
  return chapter === undefined ? '/docs' : `/docs/guides/${chapter}`;
}
