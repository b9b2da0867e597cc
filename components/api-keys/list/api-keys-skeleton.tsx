import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';

/** The page while it is fetched: what is known already, and rows in their final shape. */
export function ApiKeysSkeleton() {
  return (
    <>
      <ApiKeysHeading hasCreate={false} />
      <div className="mb-3 h-control" />
      <ApiKeyTable caption="Loading API keys" isBusy />
    </>
  );
}
