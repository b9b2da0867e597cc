// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { FigureRow } from '#components/ui/data-display/figure-row.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';

/** The figures and the chart while they are loading. */
export function HealthSkeleton() {
  return (
    <div aria-busy className="grid gap-7">
      <FigureRow>
        {[110, 84, 70, 76].map((width) => (
          <div key={width} className="flex h-17.5 flex-col justify-between">
            <Skeleton width={width} isSecond />
            <Skeleton width={72} />
            <Skeleton width={width + 20} isSecond />
          </div>
        ))}
      </FigureRow>
      <div>
        <div className="flex h-8 items-center max-sm:h-19 max-sm:items-start">
          <Skeleton width={190} />
        </div>
        <div className="mt-3 h-32 border-y border-line max-sm:h-29" />
        <Skeleton width={76} isSecond />
        <div className="h-8.5 max-xl:h-13.5 max-sm:h-12.5" />
      </div>
    </div>
  );
}
