import type { GraceChoice } from '#components/shell/grace-period/grace-choices.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';

import { MaskedToken } from '../masked-token.tsx';

type RotationConsequenceProps = {
  lastFour: string;
  choice: GraceChoice;
  /** When the current token ends with this choice. Null: at once. */
  endsAt: Date | null;
  /** Whether the current token was never used, so that it ends at once whatever is chosen. */
  isReplaced: boolean;
};

/** Says in one sentence when the current token ends with this choice. */
export function RotationConsequence({
  lastFour,
  choice,
  endsAt,
  isReplaced,
}: RotationConsequenceProps) {
  return (
    <span className="block min-h-10 text-ink-2">
      {endsAt === null ? (
        <>
          Calls with <MaskedToken lastFour={lastFour} form="short" /> and any older token are
          rejected with 401 <strong className="font-medium text-ink">immediately</strong>.
        </>
      ) : isReplaced ? (
        <>
          <MaskedToken lastFour={lastFour} form="short" /> was never used, so the new token replaces
          it <strong className="font-medium text-ink">immediately</strong>.
        </>
      ) : (
        <>
          {choice !== '3600' && 'Nothing stops today. '}
          Calls with <MaskedToken lastFour={lastFour} form="short" /> work until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={endsAt.toISOString()} />
          </strong>
          , then they are rejected with 401.
        </>
      )}
    </span>
  );
}
