import { ExactTime } from '#components/ui/data-display/time.tsx';

import { MaskedToken } from '../masked-token.tsx';
import type { TokenPreviews } from './use-rotation-preview.ts';

type RotationConsequenceProps = {
  choice: number;
  /** Null while it is loading, and if there is none. */
  preview: TokenPreviews | null;
};

/**
 * Says what the choice does to the newest token, and how the service responds to calls with that
 * token.
 */
export function RotationConsequence({ choice, preview }: RotationConsequenceProps) {
  return (
    <span className="block min-h-10 text-ink-2">
      {preview !== null && <Consequence choice={choice} preview={preview} />}
    </span>
  );
}

type ConsequenceProps = RotationConsequenceProps & { preview: TokenPreviews };

function Consequence({ choice, preview }: ConsequenceProps) {
  const [newest, only, ...more] = preview;
  if (newest === undefined) return null;
  const token = <Short token={newest} />;
  if (newest.valid_until !== null) {
    return (
      <>
        Calls with {token} work until{' '}
        <strong className="font-medium text-ink">
          <ExactTime value={newest.valid_until} />
        </strong>
        , then they are rejected with 401.
      </>
    );
  }
  const immediately = <strong className="font-medium text-ink">immediately</strong>;
  if (choice === 0) {
    return (
      <>
        Calls with {token}
        {only !== undefined && ' or '}
        {more.length > 0 ? 'any older token' : only && <Short token={only} />} are rejected with 401{' '}
        {immediately}.
      </>
    );
  }
  return (
    <>
      Nobody confirmed having {token}, so the new token replaces it {immediately}.
    </>
  );
}

function Short({ token }: { token: TokenPreviews[number] }) {
  return <MaskedToken lastFour={token.last_four} form="short" />;
}
