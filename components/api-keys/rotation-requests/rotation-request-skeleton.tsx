import { LinesSkeleton, PageSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { rotationRequestsPath } from '../api-key-path.ts';
import { RotationRequestTable } from './rotation-request-table.tsx';
import { RotationRequestsHeading } from './rotation-requests-heading.tsx';

/** The page with the rotation requests while its data is loading. */
export function RotationRequestListSkeleton() {
  return (
    <>
      <RotationRequestsHeading />
      <RotationRequestTable />
    </>
  );
}

/** The page of a rotation request while its data is loading. */
export function RotationRequestSkeleton() {
  return (
    <PageSkeleton
      crumb={{ href: rotationRequestsPath, label: 'Rotation requests' }}
      title="Rotation request"
      sentence={[180, 240]}
    >
      <LinesSkeleton title="Who sees what" widths={[180, 220, 200, 210]} />
    </PageSkeleton>
  );
}
