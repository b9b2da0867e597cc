import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { DataTableSkeleton } from '#components/ui/data-display/table.tsx';
import { processColumns } from './process-columns.tsx';

/** The page while it opens. */
export function StatusSkeleton() {
  return (
    <>
      <PageHeading title="Status" sentence={<Skeleton width={220} />} />
      <ProcessTableSkeleton />
    </>
  );
}

export function ProcessTableSkeleton() {
  return <DataTableSkeleton caption="Loading the processes" columns={processColumns} rows={3} />;
}
