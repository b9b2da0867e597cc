import { ApiKeysSkeleton } from '#components/api-keys/list/api-keys-skeleton.tsx';

export default function ApiKeysLoading() {
  return <ApiKeysSkeleton />;
}
