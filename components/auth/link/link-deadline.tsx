import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatRemaining } from '#lib/time.ts';

/** When a link expires, and how long that is from now. */
export function LinkDeadline({ value }: { value: string }) {
  const now = useNow();
  const end = new Date(value);
  return (
    <>
      <ExactTime value={value} />
      {now !== null && end > now && (
        <>
          , in <span className="whitespace-nowrap">{formatRemaining(end, now)}</span>
        </>
      )}
    </>
  );
}
