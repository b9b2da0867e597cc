import { Code } from '#components/ui/data-display/code.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { describeUserAgent } from '#lib/describe-user-agent.ts';

type LastUseProps = {
  at: string | null;
  from: string | null;
  userAgent?: string | null;
  /** The tokens that were never used, if earlier ones may have been. */
  unusedTokens?: string | null;
  /** Starts with a lower-case letter: "Last used just now". */
  isMidSentence?: boolean;
};

/** "3 min ago from 203.0.113.7 with returns-portal/2.4", or "No successful call with …a1b2". */
export function LastUse({
  at,
  from,
  userAgent = null,
  unusedTokens = null,
  isMidSentence = false,
}: LastUseProps) {
  if (at === null) return noCallWith(unusedTokens);
  return (
    <>
      <RelativeTime value={at} isMidSentence={isMidSentence} />
      {from !== null && (
        <>
          {' '}
          from <Code>{from}</Code>
        </>
      )}
      {userAgent !== null && (
        <>
          {' '}
          with{' '}
          <span translate="no" className="code wrap-anywhere" title={userAgent}>
            {nameOf(userAgent)}
          </span>
        </>
      )}
    </>
  );
}

/** The same in a row of a table, for a key without a last use. */
export function NoUse({ unusedTokens }: { unusedTokens: string | null }) {
  return (
    <span className="block leading-4 whitespace-normal text-ink-3">{noCallWith(unusedTokens)}</span>
  );
}

/** Calls that were refused may have been made, and those with earlier tokens. */
function noCallWith(unusedTokens: string | null): string {
  const none = 'No successful call';
  return unusedTokens === null ? none : `${none} with ${unusedTokens}`;
}

/** Long enough for the name and version of a program. A user agent has up to 512 characters. */
const maxShown = 60;

/** "Chrome on macOS", or the user agent of a program as it is. */
function nameOf(userAgent: string): string {
  if (userAgent.startsWith('Mozilla/')) return describeUserAgent(userAgent);
  return userAgent.length <= maxShown ? userAgent : `${userAgent.slice(0, maxShown - 1)}…`;
}
