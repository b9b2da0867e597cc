'use client';

import { GracePeriodField } from '#components/shell/grace-period/grace-period-field.tsx';
import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { MaskedToken } from '../masked-token.tsx';
import { askForGrace, replacesUnused } from './grace-question.ts';
import { PreviewedTokens } from './previewed-tokens.tsx';
import { RotationConsequence } from './rotation-consequence.tsx';
import { PreviewFailure } from './rotation-failure.tsx';
import { useRotationPreview } from './use-rotation-preview.ts';

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

/** Says that the choice does not apply to the older tokens. */
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
