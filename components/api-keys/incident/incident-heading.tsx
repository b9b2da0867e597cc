import { PageHeading } from '#components/shell/page/page-heading.tsx';

import { apiKeysPath } from '../api-key-path.ts';

export function IncidentHeading() {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Incident"
      sentence="A laptop was stolen, someone left, or tokens were found in a log: choose the keys that may be exposed, see what would break, and rotate or revoke them all."
    />
  );
}
