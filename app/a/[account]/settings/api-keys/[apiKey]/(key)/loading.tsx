import { ApiKeySkeleton } from '#components/api-keys/page/api-key-skeleton.tsx';

export default function ApiKeyLoading() {
  return <ApiKeySkeleton />;
}
