import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { TokenUse } from '#lib/contract/api-keys/token-use.ts';
import { countOf } from '#lib/count.ts';
import { formatDuration } from '#lib/time.ts';
import { MaskedToken } from '../masked-token.tsx';

/** Whether an old token can be ended, in a sentence, with the reason. */
export function EndingVerdictText({ use }: { use: TokenUse }) {
  const isSafe = use.verdict === 'safe_to_end';
  const isInUse = use.verdict === 'in_use';
  const Mark = isSafe ? CircleCheck : isInUse ? TriangleAlert : Clock;
  return (
    <div className="flex gap-2.5">
      <Mark
        aria-hidden
        className={cn(
          'mt-0.5 icon-16 shrink-0',
          isSafe ? 'text-ok-mark' : isInUse ? 'text-warn-mark' : 'text-ink-3',
        )}
      />
      <div className="min-w-0">
        <p className="font-medium text-pretty">{sentenceOf(use)}</p>
        <p className="text-small text-pretty text-ink-2">{reasonOf(use)}</p>
      </div>
    </div>
  );
}

function sentenceOf(use: TokenUse): ReactNode {
  switch (use.verdict) {
    case 'safe_to_end':
      return <>{lastUseOf(use)}. Safe to end.</>;
    case 'in_use':
      return use.calls_last_hour > 0 ? (
        <>
          {countOf(use.calls_last_hour, 'call')}
          {use.addresses_last_hour > 0 &&
            ` from ${countOf(use.addresses_last_hour, 'address', 'addresses')}`}{' '}
          in the last hour. Not safe to end yet.
        </>
      ) : (
        <>{lastUseOf(use)}. Not safe to end yet.</>
      );
    case 'may_be_pausing':
      return (
        <>
          {lastUseOf(use)}; its longest pause was {formatDuration(use.longest_pause_seconds)}. Not
          safe to end yet.
        </>
      );
    case 'new_token_unused':
      return 'The new token has not been used. Not safe to end yet.';
    case 'used_recently':
    case null:
      return <>{lastUseOf(use)}. Not safe to end yet.</>;
  }
}

function lastUseOf({ last_call_at: at, last_call_from: from }: TokenUse): ReactNode {
  if (at === null) return 'No call was made with the old token';
  return (
    <>
      The old token was last used <RelativeTime isMidSentence value={at} />
      {from !== null && (
        <>
          {' '}
          by <Code>{from}</Code>
        </>
      )}
    </>
  );
}

function reasonOf(use: TokenUse): ReactNode {
  const token = <MaskedToken lastFour={use.last_four} form="short" />;
  switch (use.verdict) {
    case 'safe_to_end':
      return <>Clients use the new token. {endOf(use)}</>;
    case 'in_use':
      return (
        <>
          Without {token}, these calls would be rejected with 401. {endOf(use)}
        </>
      );
    case 'may_be_pausing':
      return <>A client that calls rarely may still use it. {endOf(use)}</>;
    case 'new_token_unused':
      return <>Give the new token to every client first. {endOf(use)}</>;
    case 'used_recently':
    case null:
      return <>It is safe to end once it had no call for 6 hours. {endOf(use)}</>;
  }
}

function endOf({ last_four: lastFour, valid_until: end }: TokenUse): ReactNode {
  if (end === null) return null;
  return (
    <>
      <MaskedToken lastFour={lastFour} form="short" /> ends automatically on{' '}
      <ExactTime value={end} />.
    </>
  );
}

/** The calls with a token in each of the last 24 hours as bars. */
export function TokenHours({ use, isNewest }: { use: TokenUse; isNewest: boolean }) {
  const maximum = Math.max(1, ...use.hours);
  const total = use.hours.reduce((sum, calls) => sum + calls, 0);
  return (
    <figure className="w-42">
      <div
        role="img"
        aria-label={`${countOf(total, 'call')} with …${use.last_four} in 24 hours`}
        className="flex h-9 items-end gap-px border-b border-line-strong"
      >
        {use.hours.map((calls, hour) => (
          <span
            key={hour}
            data-mark
            style={{ height: `${(calls / maximum) * 100}%` }}
            className={cn(
              'flex-1 print-color-exact',
              calls > 0 && 'min-h-0.5',
              isNewest ? 'bg-data-delivered' : 'bg-data-other',
            )}
          />
        ))}
      </div>
      <figcaption className="mt-1 text-micro text-ink-3">
        Calls with <MaskedToken lastFour={use.last_four} form="short" />, 24 h
      </figcaption>
    </figure>
  );
}

export function LastCallers({ use }: { use: TokenUse }) {
  if (use.callers.length === 0) return null;
  return (
    <details className="w-full text-small">
      <summary className="w-fit cursor-default text-ink-2">
        Last callers of <MaskedToken lastFour={use.last_four} form="short" />
      </summary>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {use.callers.map((caller) => (
          <li
            key={`${caller.address} ${caller.user_agent}`}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2"
          >
            <Code>{caller.address}</Code>
            <span className="min-w-0 flex-1 truncate">{caller.user_agent ?? 'No user agent'}</span>
            <Code className="wrap-anywhere">
              {caller.last_method} {caller.last_path ?? '(no such path)'}
            </Code>
            <span>{countOf(caller.calls, 'call')}</span>
            <RelativeTime value={caller.last_seen_at} />
          </li>
        ))}
      </ul>
    </details>
  );
}
