import { cn } from '#lib/cn.ts';

import { initials } from './initials.ts';

/** An account is square, a person round. The name stands beside it, so it is not read. */
export function Avatar({ name, isRound = false }: { name: string; isRound?: boolean }) {
  return (
    <span
      aria-hidden
      data-initials={initials(name)}
      className={cn(
        'grid size-6 shrink-0 place-items-center text-[0.6875rem] leading-none font-semibold tracking-normal',
        // Drawn by the style sheet: as text it would count as part of the button's visible label.
        'before:content-[attr(data-initials)]',
        isRound ? 'rounded-full bg-fill-track text-ink' : 'rounded-2 bg-ink text-canvas',
      )}
    />
  );
}
