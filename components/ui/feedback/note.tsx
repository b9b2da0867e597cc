import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

type NoteProps = { icon?: ReactNode; children: ReactNode; className?: string };

export function Note({ icon = <Info />, children, className }: NoteProps) {
  return (
    <div
      className={cn(
        'grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 text-pretty text-ink-2 [&_strong]:font-medium [&_strong]:text-ink',
        className,
      )}
    >
      <span aria-hidden className="mt-0.5 text-ink-3">
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
