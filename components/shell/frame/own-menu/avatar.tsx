import { cn } from '#lib/class-names/cn.ts';

type AvatarProps = {
  name: string;
  isRound?: boolean;
  /** 28 px, for the rows of a table, instead of 24. */
  isLarge?: boolean;
};

/** The initials of an account (square) or a person (round), whose name is next to them. */
export function Avatar({ name, isRound = false, isLarge = false }: AvatarProps) {
  return (
    <span
      aria-hidden
      data-initials={initials(name)}
      className={cn(
        'grid shrink-0 place-items-center text-[0.6875rem] leading-none font-semibold tracking-normal',
        // Drawn with CSS: as text, the initials would count as part of the button's visible label.
        'before:content-[attr(data-initials)]',
        isLarge ? 'size-7' : 'size-6',
        isRound ? 'rounded-full bg-fill-track text-ink' : 'rounded-2 bg-ink text-canvas',
      )}
    />
  );
}

/** Two initials for an avatar: "Marlow & Finch" → "MF", "Ida" → "ID". */
function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const first = words[0] ?? '';
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const letters = last === '' ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join('').toUpperCase();
}
