import type { ReactNode } from 'react';

import { PageHeading } from '#components/shell/page/page-heading.tsx';

import { apiKeysPath } from '../api-key-path.ts';

/** @param props.quotaUse how many keys the account has of those it may have */
export function CreateApiKeyHeading({ quotaUse }: { quotaUse?: ReactNode }) {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Create key"
      sentence={
        <>
          Give it the least it needs. Its token can be rotated at any time.
          {quotaUse}
        </>
      }
    />
  );
}
