import { RelativeTime } from '#components/ui/data-display/time.tsx';

type LastUseProps = { at: string | null; from: string | null };

/** "3 min ago from 203.0.113.7". */
export function LastUse({ at, from }: LastUseProps) {
  if (at === null) return 'Never';
  return (
    <>
      <RelativeTime value={at} />
      {from !== null && (
        <>
          {' '}
          from <span className="code">{from}</span>
        </>
      )}
    </>
  );
}
