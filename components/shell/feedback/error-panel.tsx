import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Banner, type BannerProps } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { RequestId } from './request-id.tsx';

export type ErrorPanelProps = {
  /** The failure: "The list could not be refreshed". */
  title: string;
  /** The service's message. */
  message: ReactNode;
  /** Identifies the request in the log. */
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  retryLabel?: string;
  role?: BannerProps['role'];
};

/** Shows which action failed and why, with a button to try again. */
export function ErrorPanel({
  title,
  message,
  requestId,
  onRetry,
  isRetrying,
  retryLabel = 'Try again',
  role,
}: ErrorPanelProps) {
  return (
    <Banner
      tone="bad"
      role={role}
      title={title}
      action={
        onRetry && (
          <Button focusesTitleOnRemoval icon={<RefreshCw />} pending={isRetrying} onClick={onRetry}>
            {retryLabel}
          </Button>
        )
      }
    >
      {message}
      <RequestId id={requestId} />
    </Banner>
  );
}
