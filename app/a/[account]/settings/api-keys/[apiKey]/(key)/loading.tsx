import { ApiKeySkeleton } from '#components/api-keys/api-key-skeleton.tsx';

export default function ApiKeyLoading() {
  return <ApiKeySkeleton />;
}
