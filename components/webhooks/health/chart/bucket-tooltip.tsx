import { formatCount } from '#lib/count.ts';
import type { ChartBucket } from './chart-buckets.ts';
import { barParts, isSeries, partStyles } from './bar-parts.ts';
import { PartMark } from './part-mark.tsx';

type BucketTooltipProps = { bucket: ChartBucket; index: number; count: number };

/** A bar's numbers, on the side with more space. The mouse can move onto it; touch cannot. */
export function BucketTooltip({ bucket, index, count }: BucketTooltipProps) {
  const before = index / count;
  const after = (count - index - 1) / count;
  const isAfter = after >= before;
  // A delivery that succeeded after a retry counts as both, and is drawn once.
  const both = bucket.counts.delivered - bucket.heights.delivered;
  return (
    <div
      role="tooltip"
      style={{
        [isAfter ? 'left' : 'right']: percent(1 - (isAfter ? after : before)),
        maxWidth: percent(Math.max(after, before)),
      }}
      className="absolute -top-2 z-(--z-sticky) w-max px-2 pointer-coarse:pointer-events-none print:hidden"
    >
      <div className="rounded-3 bg-overlay px-2.5 py-2 text-micro text-ink-2 shadow-menu">
        <p className="mb-[3px] font-medium text-ink">{bucket.span}</p>
        {barParts
          .filter((part) => isSeries(part) || bucket.counts[part] > 0)
          .map((part) => (
            <p key={part} className="flex items-center gap-1.5">
              <PartMark part={part} />
              {partStyles[part].label}
              {part === 'retried' && both > 0 && `, ${formatCount(both)} of them delivered`}{' '}
              <span className="ml-auto pl-5 text-ink">{formatCount(bucket.counts[part])}</span>
            </p>
          ))}
      </div>
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}
