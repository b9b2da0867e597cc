import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function ApiKeysSkeleton() {
  return (
    <>
      <ApiKeysHeading hasCreate={false} />
      <div className="mb-3 h-control" />
      <ApiKeyTable caption="Loading API keys" isBusy />
    </>
  );
}
