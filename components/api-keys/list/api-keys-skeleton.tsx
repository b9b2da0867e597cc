import { ControlSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function ApiKeysSkeleton() {
  return (
    <>
      <ApiKeysHeading actions={<ControlSkeleton width={112} />} />
      <div className="mb-3">
        <ControlSkeleton />
      </div>
      <ApiKeyTable caption="Loading API keys" isBusy />
    </>
  );
}
