import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { apiKeysPath } from '../api-key-path.ts';

export function IncidentHeading() {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Incidents"
      sentence="What was done to many keys together: after a stolen laptop, when someone left, or when tokens were found in a log. To begin, select keys in the list."
    />
  );
}
