/** A page of each kind of the documentation, with its title. */
export const docsPages = [
  ['/docs', 'Documentation'],
  ['/docs/guides/admin', 'Keys and webhooks'],
  ['/docs/guides/webhook-receivers', 'Receive webhooks'],
  ['/docs/guides/changes', 'Changes to the API'],
  ['/docs/reference/api-keys', 'API keys'],
  ['/docs/reference/api-keys/update-api-key', 'Change an API key'],
  ['/docs/reference/events', 'Events'],
  ['/docs/operations/configuration', 'Configuration'],
  ['/docs/errors', 'Error reasons'],
  ['/docs/errors/scope', 'The API key lacks a scope'],
] as const;
