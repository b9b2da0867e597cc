import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { PageHeading } from '../page/page-heading.tsx';

type EditSkeletonProps = {
  /** The name of what is edited, or what it is: "key". */
  name: string;
  href: string;
};

/** The page on which something is edited while its data is loading. */
export function EditSkeleton({ name, href }: EditSkeletonProps) {
  return (
    <>
      <PageHeading
        crumb={{ href, label: name }}
        title={`Edit ${name}`}
        sentence={<Skeleton width={360} />}
      />
      <FormSkeleton />
    </>
  );
}

/** The fields of a form while its page is loading. */
export function FormSkeleton() {
  return (
    <div aria-hidden className="grid max-w-162 grid-cols-1 gap-8">
      {[44, 92, 68].map((labelWidth) => (
        <div key={labelWidth} className="grid grid-cols-1 gap-1.5">
          <Skeleton width={labelWidth} />
          <div className="h-control rounded-3 border border-line-strong max-sm:h-11" />
        </div>
      ))}
    </div>
  );
}
