import { formatCount } from '#lib/count.ts';
import { ColorMark } from './color-mark.tsx';

/** `height`: how much of `count` the bar shows, if another part shows the rest. */
export type BarPart = { label: string; color: string; count: number; height: number };

type BarTooltipProps = {
  title: string;
  parts: readonly BarPart[];
  index: number;
  /** How many bars there are. */
  count: number;
};

/** A bar's numbers, on the side with more space. The mouse can move onto it; touch cannot. */
export function BarTooltip({ title, parts, index, count: bars }: BarTooltipProps) {
  const before = index / bars;
  const after = (bars - index - 1) / bars;
  const isAfter = after >= before;
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
        <p className="mb-[3px] font-medium text-ink">{title}</p>
        {parts.map(({ label, color, count }) => (
          <p key={color} className="flex items-center gap-1.5">
            <ColorMark color={color} />
            {label} <span className="ml-auto pl-5 text-ink">{formatCount(count)}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}
