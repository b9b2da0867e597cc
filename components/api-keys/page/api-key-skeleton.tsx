import {
  BoxSkeleton,
  ColumnsSkeleton,
  LinesSkeleton,
  PageSkeleton,
} from '#components/shell/page/page-skeleton.tsx';
import { apiKeysPath } from '../api-key-path.ts';

/** The page of a key while its data is loading. */
export function ApiKeySkeleton({ name }: { name?: string | undefined }) {
  return (
    <PageSkeleton
      crumb={{ href: apiKeysPath, label: 'API keys' }}
      title={name ?? 'API key'}
      sentence={[104, 150]}
    >
      <BoxSkeleton title="Token" widths={[104, 130]} />
      <ColumnsSkeleton>
        <LinesSkeleton title="Details" widths={[180, 96, 132, 160, 210]} />
        <LinesSkeleton title="Scopes" widths={[220, 190, 240]} />
      </ColumnsSkeleton>
    </PageSkeleton>
  );
}
