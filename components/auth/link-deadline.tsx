'use client';

import { ExactTime } from '#components/ui/time.tsx';
import { useNow } from '#components/ui/use-now.ts';
import { formatRemaining } from '#lib/time.ts';

/** Until when a set-up link can be used, and how long that still is. */
export function LinkDeadline({ value }: { value: string }) {
  const now = useNow();
  const end = new Date(value);
  return (
    <>
      The set-up link was accepted; it ends <ExactTime value={value} />
      {now !== null && end > now && (
        <>
          , in <span className="whitespace-nowrap">{formatRemaining(end, now)}</span>
        </>
      )}
      .
    </>
  );
}
