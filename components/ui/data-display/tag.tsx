import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

type TagProps = { children: ReactNode; mono?: boolean; className?: string };

/** A small label: a scope or event type in monospace, or with `mono={false}` a text. */
export function Tag({ children, mono = true, className }: TagProps) {
  return (
    <span
      translate={mono ? 'no' : undefined}
      className={cn(
        'inline-flex h-5 max-w-full items-center rounded-[5px] bg-fill-active px-1.5 align-top whitespace-nowrap text-ink-2',
        mono ? 'code-micro' : 'text-micro',
        className,
      )}
    >
      <span className="truncate">{children}</span>
    </span>
  );
}

type TagListProps = {
  values: readonly string[];
  /** How many are shown before the rest becomes "+2". */
  shown?: number;
  mono?: boolean;
};

/** The first values, then how many more there are. Screen readers and the tooltip get all. */
export function TagList({ values, shown = 1, mono = true }: TagListProps) {
  const rest = values.slice(shown);
  return (
    <span className="flex min-w-0 gap-1">
      {values.slice(0, shown).map((value) => (
        <Tag key={value} mono={mono}>
          {value}
        </Tag>
      ))}
      {rest.length > 0 && (
        <span title={rest.join(', ')} className="shrink-0">
          <Tag mono={false}>
            <span aria-hidden>+{rest.length}</span>
            <span className="sr-only">, {rest.join(', ')}</span>
          </Tag>
        </span>
      )}
    </span>
  );
}
