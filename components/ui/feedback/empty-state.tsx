import type { ReactNode } from 'react';

type EmptyStateProps = {
  /** "No keys yet" for nothing; "No key matches “stagng”" for no match. */
  title: ReactNode;
  /** Smaller, for a search or filter without matches. */
  isQuiet?: boolean;
  /** One sentence: what it is for, or where the search looks. */
  children?: ReactNode;
  /** One button and at most one secondary button. */
  actions?: ReactNode;
  /** A command that works. */
  example?: ReactNode;
};

/** Shown in place of data when there is none. */
export function EmptyState({
  title,
  isQuiet = false,
  children,
  actions,
  example,
}: EmptyStateProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1 pt-7 pb-1">
      <h2 className={isQuiet ? 'font-medium' : 'text-heading'}>{title}</h2>
      {children !== undefined && (
        <div className="max-w-[56ch] text-pretty text-ink-2">{children}</div>
      )}
      {actions !== undefined && (
        <div className="mt-3.5 flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>
      )}
      {example !== undefined && <div className="mt-5 w-full max-w-160">{example}</div>}
    </div>
  );
}
