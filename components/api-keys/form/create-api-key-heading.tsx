import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { apiKeysPath } from '../api-key-path.ts';

/** @param props.quotaUse how many keys the account has and can have */
export function CreateApiKeyHeading({ quotaUse }: { quotaUse?: ReactNode }) {
  return (
    <PageHeading
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title="Create key"
      sentence={
        <>
          Select only the scopes it needs. You can rotate its token at any time.
          {quotaUse}
        </>
      }
    />
  );
}
