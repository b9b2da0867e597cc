'use client';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatRemaining } from '#lib/time.ts';

/** Says when the set-up link expires, and how long that is from now. */
export function LinkDeadline({ value }: { value: string }) {
  const now = useNow();
  const end = new Date(value);
  return (
    <>
      The set-up link was accepted; it expires <ExactTime value={value} />
      {now !== null && end > now && (
        <>
          , in <span className="whitespace-nowrap">{formatRemaining(end, now)}</span>
        </>
      )}
      .
    </>
  );
}
