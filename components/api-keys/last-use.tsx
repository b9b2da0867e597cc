import { RelativeTime } from '#components/ui/data-display/time.tsx';

type LastUseProps = {
  at: string | null;
  from: string | null;
  /** Starts with a lower-case letter: "Last used just now". */
  isMidSentence?: boolean;
};

/** "3 min ago from 203.0.113.7". */
export function LastUse({ at, from, isMidSentence = false }: LastUseProps) {
  if (at === null) return isMidSentence ? 'never' : 'Never';
  return (
    <>
      <RelativeTime value={at} isMidSentence={isMidSentence} />
      {from !== null && (
        <>
          {' '}
          from <span className="code">{from}</span>
        </>
      )}
    </>
  );
}
