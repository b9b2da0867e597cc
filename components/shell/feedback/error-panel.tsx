'use client';

import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';

export type ErrorPanelProps = {
  /** What failed: "The list could not be refreshed". */
  title: string;
  /** What happened, in the service's words. */
  message: ReactNode;
  /** Finds the request in the log. */
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
};

/** Stands above what could not be read; old rows stay below it. */
export function ErrorPanel({ title, message, requestId, onRetry, isRetrying }: ErrorPanelProps) {
  return (
    <Banner
      tone="bad"
      title={title}
      action={
        onRetry && (
          <Button icon={<RefreshCw />} pending={isRetrying} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {message}
      {requestId !== undefined && (
        <>
          {' '}
          Request <span className="code">{requestId}</span>
        </>
      )}
    </Banner>
  );
}
