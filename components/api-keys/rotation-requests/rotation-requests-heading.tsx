import { PageHeading } from '#components/shell/page/page-heading.tsx';

import { apiKeysPath } from '../api-key-path.ts';

export function RotationRequestsHeading({ seesAll }: { seesAll?: boolean }) {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Rotation requests"
      sentence={
        seesAll === true
          ? 'All rotation requests of this account, and their outcomes.'
          : 'The rotations that you requested or were asked for, and their outcomes.'
      }
    />
  );
}
