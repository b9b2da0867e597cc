import type { ReactNode } from 'react';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { PageHeading } from './page-heading.tsx';
import { PageTitle } from './page-title.tsx';

type FailedPageProps = {
  title: string;
  message: ReactNode;
  /** Next's `digest`, or the service's request id. */
  requestId?: string | undefined;
  onRetry: () => void;
};

/** For `error.tsx`: the page could not be rendered. */
export function FailedPage({ title, message, requestId, onRetry }: FailedPageProps) {
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <PageHeading title={title} />
      <ErrorPanel
        title="This page could not be shown"
        message={message}
        requestId={requestId}
        onRetry={onRetry}
      />
    </>
  );
}
