/** The page of a thing that an entry names; null if it has none. */
export function targetPath({ kind, id }: { kind: string; id: string | null }): string | null {
  switch (kind) {
    case 'api_key':
      return `settings/api-keys/${id}`;
    case 'webhook':
      return `settings/webhooks/${id}`;
    case 'event':
      return `settings/events?event=${id}`;
    case 'incident':
      return `settings/api-keys/incident/${id}`;
    case 'rotation_request':
      return `settings/rotation-requests/${id}`;
    case 'person':
    case 'invitation':
      return 'settings/team';
    case 'account':
      return 'settings/account';
    default:
      return null;
  }
}
