import { ApiKeysSkeleton } from '#components/api-keys/api-keys-skeleton.tsx';

export default function ApiKeysLoading() {
  return <ApiKeysSkeleton />;
}
