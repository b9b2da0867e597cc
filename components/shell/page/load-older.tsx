// Every list renders this once and rarely again: compiled, the file would only be larger.
'use no memo';

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { ReadFailure } from './read-failure.tsx';
import type { OlderPages } from './use-older-pages.ts';

type LoadOlderProps = {
  older: OlderPages;
  /** What the button loads: "The older entries". */
  what: string;
  /** What a person without permission cannot see: "the audit log". */
  noun: string;
  label?: string;
  /** A line about what is listed. It takes the focus when the button is removed. */
  children: ReactNode;
  /** Replaces the line once everything is loaded. */
  complete?: ReactNode;
  className?: string;
};

/** Below a list: loads older ones, and says there if that failed. */
export function LoadOlder({
  older,
  what,
  noun,
  label = 'Load older',
  children,
  complete,
  className,
}: LoadOlderProps) {
  const { hasMore, isLoading, error, failedAt } = older;
  const line = useRef<HTMLParagraphElement>(null);
  const [wasPressed, setWasPressed] = useState(false);

  const keepFocus = useEffectEvent(() => {
    if (wasPressed && document.activeElement === document.body) line.current?.focus();
  });
  // The button is removed once everything is loaded.
  useEffect(() => keepFocus(), [hasMore]);

  function load() {
    setWasPressed(true);
    older.load();
  }

  /** The panel with the pressed button is removed once a page is loaded. */
  function loadAgain() {
    line.current?.focus();
    load();
  }

  return (
    <div
      className={cn(
        'flex min-h-control-small flex-wrap items-center justify-between gap-3 text-small text-ink-3',
        className,
      )}
    >
      <p ref={line} tabIndex={-1} className="outline-none">
        {hasMore || complete === undefined ? children : complete}
        {!hasMore && complete === undefined && wasPressed && ' Nothing older to load.'}
      </p>
      {hasMore && (
        <Button size="small" pending={isLoading} onClick={load}>
          {label}
        </Button>
      )}
      {error && (
        <div className="basis-full">
          <ReadFailure
            isLocal
            what={what}
            noun={noun}
            read={{
              data: undefined,
              error,
              errorUpdatedAt: failedAt,
              dataUpdatedAt: 0,
              isFetching: isLoading,
              refetch: loadAgain,
            }}
          />
        </div>
      )}
    </div>
  );
}
