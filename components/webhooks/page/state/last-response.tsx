// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { AttemptSummary } from '#lib/contract/deliveries/delivery.ts';
import { formatMilliseconds } from '#lib/time.ts';

import { attemptSentence } from '../../delivery/attempt-sentence.ts';

type LastResponseProps = {
  /** Undefined until it is read. */
  attempt: AttemptSummary | null | undefined;
  /** Shown if there is no response. */
  none: string;
};

/** The response to an attempt. The line is there before the attempt is read. */
export function LastResponse({ attempt, none }: LastResponseProps) {
  return (
    <p className="mt-1.5 flex min-h-8 flex-wrap items-baseline gap-x-2 rounded-2 bg-fill-active px-2.5 py-1.5 text-ink">
      {attempt ? (
        <>
          <Quotation attempt={attempt} />
          <span className="text-ink-2">
            Attempt of <ExactTime value={attempt.started_at} form="moment" />, after{' '}
            {formatMilliseconds(attempt.duration_ms)}
          </span>
        </>
      ) : (
        attempt === null && none
      )}
    </p>
  );
}

/** The message of the server's response, or else the result of the attempt as a sentence. */
function Quotation({ attempt }: { attempt: AttemptSummary }) {
  const { status_code: code, error, body_excerpt: excerpt } = attempt;
  if (error !== null || excerpt === null) return <span>{attemptSentence(attempt)}</span>;
  return (
    <>
      <span translate="no" className="code">
        {code}
      </span>
      <span className="line-clamp-2 min-w-0 wrap-anywhere">{excerpt}</span>
    </>
  );
}
