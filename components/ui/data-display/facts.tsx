import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

export type Fact = { label: string; value: ReactNode };

/** A description list with labels and values side by side. */
export function Facts({ facts, className }: { facts: readonly Fact[]; className?: string }) {
  if (facts.length === 0) return null;
  return (
    <dl
      className={cn(
        'grid grid-cols-[minmax(auto,max-content)_minmax(0,1fr)] gap-x-5 gap-y-1.5 max-narrow:grid-cols-[minmax(0,1fr)]',
        className,
      )}
    >
      {facts.map((fact) => (
        <div key={fact.label} className="contents">
          <dt className="text-ink-3">{fact.label}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
