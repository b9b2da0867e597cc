/** The titles of those account pages whose title is the same in every account. */
export const pageTitles = {
  team: 'Team',
  auditLog: 'Audit log',
  account: 'Account',
  profile: 'Profile',
  security: 'Security',
  apiKeys: 'API keys',
  oldTokens: 'Old tokens',
  newApiKey: 'Create key',
  /** Until the key's name is known. */
  apiKey: 'API key',
  editApiKey: 'Edit key',
  incidents: 'Incidents',
  incident: 'Incident',
  rotationRequests: 'Requests',
  rotationRequest: 'Request',
  webhooks: 'Webhooks',
  events: 'Events',
  newWebhook: 'Create webhook',
  editWebhook: 'Edit webhook',
  signatureDoctor: 'Signature doctor',
} as const;

/** The title of the page that shows the calls of a key. */
export function keyUsageTitle(name: string | undefined): string {
  return `Usage of ${name ?? 'API key'}`;
}
