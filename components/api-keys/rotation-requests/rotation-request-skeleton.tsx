import { requestsPath } from '#components/shell/requests/request-path.ts';
import { LinesSkeleton, PageSkeleton } from '#components/shell/page/page-skeleton.tsx';

/** The page of a rotation request while its data is loading. */
export function RotationRequestSkeleton() {
  return (
    <PageSkeleton
      crumb={{ href: requestsPath, label: 'Requests' }}
      title="Request"
      sentence={[180, 240]}
    >
      <LinesSkeleton title="Who sees what" widths={[180, 220, 200, 210]} />
    </PageSkeleton>
  );
}
