import { cn } from '#lib/cn.ts';

import { initials } from './initials.ts';

/**
 * The initials of an account (square) or a person (round). Hidden from screen readers, because the
 * name is beside it.
 */
export function Avatar({ name, isRound = false }: { name: string; isRound?: boolean }) {
  return (
    <span
      aria-hidden
      data-initials={initials(name)}
      className={cn(
        'grid size-6 shrink-0 place-items-center text-[0.6875rem] leading-none font-semibold tracking-normal',
        // Drawn with CSS: as text, the initials would count as part of the button's visible label.
        'before:content-[attr(data-initials)]',
        isRound ? 'rounded-full bg-fill-track text-ink' : 'rounded-2 bg-ink text-canvas',
      )}
    />
  );
}
