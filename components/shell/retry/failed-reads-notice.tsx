import { CloudOff, Hourglass } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { isDialogOpen } from '#components/ui/overlays/is-dialog-open.ts';
import { useIsOffline } from '#components/ui/rendering/use-is-offline.ts';
import { formatClock, formatCountdown } from '#lib/time.ts';
import { useSecondsLeft } from '../feedback/rate-limit.ts';
import { RequestId } from '../feedback/request-id.tsx';
import { type ReportFailedRead, useFailedReads, useReportFailedRead } from './failed-reads.tsx';
import { type FailedReadsSummary, summarizeFailedReads } from './summarize-failed-reads.ts';

const tickMs = 250;

/** Says once per page that the browser is offline, or that the service is away or refuses for a while. */
export function FailedReadsNotice() {
  const report = useReportFailedRead();
  useEffect(() => retryPageRequests(report), [report]);
  const failedReads = useFailedReads();
  const summary = summarizeFailedReads(failedReads);
  const retryAt = summary?.retryAt ?? null;
  const secondsLeft = useSecondsLeft(retryAt);
  const isOffline = useIsOffline();
  const [isReading, setIsReading] = useState(false);
  // Once for each deadline: a new failure sets another a moment after its read has ended.
  const [triedAt, setTriedAt] = useState<number | null>(null);

  async function readAgain() {
    setIsReading(true);
    setTriedAt(retryAt);
    await Promise.allSettled(failedReads.map((failed) => failed.readAgain()));
    setIsReading(false);
  }

  // While a dialog may show a secret, nothing must rerender what is below it.
  const [isHeldUp, setIsHeldUp] = useState(false);
  const onTick = useEffectEvent(() => {
    const isWaiting = retryAt === null || triedAt === retryAt || isReading || isOffline;
    const isDue = !isWaiting && Date.now() >= retryAt;
    const isHeld = isDue && isDialogOpen();
    setIsHeldUp(isHeld);
    if (isDue && !isHeld) void readAgain();
  });
  const hasFailed = retryAt !== null;
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(() => onTick(), tickMs);
    return () => clearInterval(timer);
  }, [hasFailed]);

  return (
    <>
      {/* Spoken once, not with each second. */}
      <p role="status" className="sr-only">
        {isOffline
          ? `${offlineTitle}. ${offlineText}`
          : summary && `${summary.title}. This page retries automatically.`}
      </p>
      {isOffline ? (
        <Banner
          role="none"
          tone="warn"
          icon={<CloudOff />}
          className="mb-6 print:hidden"
          title={offlineTitle}
        >
          {offlineText}
        </Banner>
      ) : (
        summary && (
          <FailedReadsBanner
            summary={summary}
            secondsLeft={secondsLeft}
            isReading={isReading}
            isHeldUp={isHeldUp}
            onTryNow={() => void readAgain()}
          />
        )
      )}
    </>
  );
}

const offlineTitle = 'You are offline';
const offlineText =
  'Changes are not shown until you are back online. This page then updates itself.';

type FailedReadsBannerProps = {
  summary: FailedReadsSummary;
  secondsLeft: number;
  isReading: boolean;
  /** It is time to try again, but a dialog is open. */
  isHeldUp: boolean;
  onTryNow: () => void;
};

/** Shows which reads failed, and when they are retried. */
function FailedReadsBanner({
  summary: { title, isRateLimited, shownSince, requestId },
  secondsLeft,
  isReading,
  isHeldUp,
  onTryNow,
}: FailedReadsBannerProps) {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  return (
    <Banner
      // `FailedReadsNotice` announces it.
      role="none"
      tone="warn"
      icon={isRateLimited ? <Hourglass /> : <CloudOff />}
      className="mb-6 print:hidden"
      title={title}
      action={
        // A rate limit refuses until its end.
        !isRateLimited && (
          <Button focusesTitleOnRemoval pending={isReading} onClick={onTryNow}>
            Try now
          </Button>
        )
      }
    >
      {whenTriedAgain({ secondsLeft, isReading, isHeldUp })}
      {shownSince !== null && ` You see this page as of ${formatClock(new Date(shownSince))}.`}
      <RequestId id={requestId} />
    </Banner>
  );
}

function whenTriedAgain({
  secondsLeft,
  isReading,
  isHeldUp,
}: Pick<FailedReadsBannerProps, 'secondsLeft' | 'isReading' | 'isHeldUp'>): string {
  if (isHeldUp) return 'Tries again once the dialog is closed.';
  if (isReading || secondsLeft === 0) return 'Trying again…';
  return `Trying again in ${formatCountdown(secondsLeft)}.`;
}

/**
 * Retries requests for pages as long as the service can't be reached. Without this, Next does a
 * full page load when its request fails, which ends on the browser's own error page while the
 * service restarts.
 *
 * It patches `window.fetch`, because Next calls that and offers no other way to intercept its
 * requests. Next's own setting for this, `experimental.useOffline`, also repeats server actions,
 * which could then happen twice.
 *
 * @returns a function that ends this
 */
function retryPageRequests(report: ReportFailedRead): () => void {
  const send = window.fetch;
  let count = 0;
  window.fetch = (input, init) => {
    if (!isForPage(init)) return send(input, init);
    count += 1;
    return untilAnswered(() => send(input, init), { id: `page request ${count}`, report });
  };
  return () => {
    window.fetch = send;
  };
}

/** Next reads pages and their parts with this header. */
function isForPage({ method = 'GET', headers }: RequestInit = {}): boolean {
  return method === 'GET' && new Headers(headers).has('rsc');
}

async function untilAnswered(
  send: () => Promise<Response>,
  { id, report }: { id: string; report: ReportFailedRead },
): Promise<Response> {
  let onSettled = () => {};
  for (;;) {
    const response = await send().catch(nullIfUnreachable);
    onSettled();
    if (response !== null && !isFromProxy(response)) {
      report(id, null);
      return response;
    }
    onSettled = await new Promise<() => void>((tryAgain) => {
      report(id, {
        failedAt: Date.now(),
        rateLimitSeconds: null,
        readAgain: () => new Promise<void>((settled) => tryAgain(settled)),
      });
    });
  }
}

function nullIfUnreachable(cause: unknown): null {
  if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
  return null;
}

/** The status codes with which a proxy responds while the service behind it is unavailable. */
function isFromProxy({ status }: Response): boolean {
  return status === 502 || status === 503 || status === 504;
}
