import { GracePeriodField } from '#components/shell/grace-period/grace-period-field.tsx';
import { type OlderToken, olderTokens } from '#components/shell/states/older-tokens.ts';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { MaskedToken } from '../masked-token.tsx';
import { askForGrace, replacesUnused } from './grace-question.ts';
import { PreviewedTokens } from './previewed-tokens.tsx';
import { PreviewFailure } from './rotation-failure.tsx';
import { type TokenPreviews, useRotationPreview } from './use-rotation-preview.ts';

type RotationEffectsProps = {
  apiKey: ApiKey;
  /** The grace periods that the person may give, and the present choice, in seconds. */
  choices: readonly number[];
  choice: number;
  onChoose: (choice: number) => void;
  /** Whether the rotation itself failed, which says more than a failed preview. */
  hasFailed: boolean;
  now: Date;
  /** Called if the service refuses the rotation, because the key may have changed. */
  onStale: () => void;
};

/** The choice of a grace period, and what a rotation with it would do to each token of the key. */
export function RotationEffects({
  apiKey,
  choices,
  choice,
  onChoose,
  hasFailed,
  now,
  onStale,
}: RotationEffectsProps) {
  const result = useRotationPreview(apiKey, { choice, onStale });
  const preview = Array.isArray(result) ? result : null;
  const older = olderTokens(apiKey, now);
  const isReplacing = replacesUnused(apiKey, { older, choice, preview });
  const question = askForGrace({ lastFour: apiKey.last_four, older, isReplacing, choices, choice });
  const consequence = <RotationConsequence choice={choice} preview={preview} />;
  const isChoiceForNewest = choice !== 0 && preview !== null && !preview[0]?.ends_now;

  return (
    <>
      <PreviewedTokens
        apiKey={apiKey}
        tokens={[...apiKey.tokens.slice(0, 1), ...older]}
        preview={preview}
        choice={choice}
        now={now}
      />
      {question === null ? (
        consequence
      ) : (
        <GracePeriodField {...question} value={choice} onChange={onChoose} help={consequence} />
      )}
      {result !== null && 'failure' in result && !hasFailed && (
        <PreviewFailure name={apiKey.name} failedAction={result} />
      )}
      {isChoiceForNewest && <KeptEnds older={older} />}
    </>
  );
}

/** Shows that the choice does not apply to the older tokens. */
function KeptEnds({ older: [only, ...more] }: { older: readonly OlderToken[] }) {
  if (only === undefined) return null;
  return (
    <Note>
      {more.length > 0 ? (
        'The older tokens keep their current end times.'
      ) : (
        <>
          <MaskedToken lastFour={only.last_four} form="short" /> keeps its current end time.
        </>
      )}
    </Note>
  );
}

type RotationConsequenceProps = {
  choice: number;
  /** Null while it is loading, and if there is none. */
  preview: TokenPreviews | null;
};

/** What happens to the newest token, and how the service responds to calls with it. */
function RotationConsequence({ choice, preview }: RotationConsequenceProps) {
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
      {token} was never confirmed, so the new token replaces it {immediately}.
    </>
  );
}

function Short({ token }: { token: TokenPreviews[number] }) {
  return <MaskedToken lastFour={token.last_four} form="short" />;
}
