import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { formatFailure } from '#components/shell/feedback/format-failure.ts';
import { RequestId } from '#components/shell/feedback/request-id.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { type ActionFailure, isPageOutdated } from '#lib/actions/action-result.ts';

type CountFailureProps = {
  title: string;
  failure: ActionFailure;
  onCountAgain: () => void;
  isCounting?: boolean;
  /** What can still be done without a count. */
  children?: ReactNode;
};

/** Explains why events could not be counted, with a button to count again. */
export function CountFailure({
  title,
  failure,
  onCountAgain,
  isCounting = false,
  children,
}: CountFailureProps) {
  if (isPageOutdated(failure)) {
    return <ActionFailurePanel failure={failure} notDone={title} unknown={title} />;
  }
  return (
    <Banner
      tone="warn"
      title={title}
      action={
        <Button
          focusesTitleOnRemoval
          icon={<RefreshCw />}
          pending={isCounting}
          onClick={onCountAgain}
        >
          Count again
        </Button>
      }
    >
      {formatFailure(failure)}
      <RequestId id={failure.requestId} /> {children}
    </Banner>
  );
}
