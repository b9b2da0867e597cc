import { ExactTime } from '#components/ui/time.tsx';

import { MaskedToken } from '../masked-token.tsx';
import type { GraceChoice } from './grace-choices.ts';

type RotationConsequenceProps = {
  lastFour: string;
  choice: GraceChoice;
  /** When the newest token ends by this choice; null: at once. */
  endsAt: Date | null;
  /** Whether the newest token was never used, and so is replaced whatever is chosen. */
  isReplaced: boolean;
};

/** What a rotation with this choice does to the newest token, in one sentence. */
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
          answered 401 <strong className="font-medium text-ink">at once</strong>.
        </>
      ) : isReplaced ? (
        <>
          <MaskedToken lastFour={lastFour} form="short" /> was never used, so the new token replaces
          it <strong className="font-medium text-ink">at once</strong>.
        </>
      ) : (
        <>
          {choice !== '3600' && 'Nothing stops today. '}
          Calls with <MaskedToken lastFour={lastFour} form="short" /> get through until{' '}
          <strong className="font-medium text-ink">
            <ExactTime value={endsAt.toISOString()} />
          </strong>
          , then are answered 401.
        </>
      )}
    </span>
  );
}
