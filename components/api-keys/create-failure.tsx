import { ErrorPanel } from '#components/shell/error-panel.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';

/** Why no key came back, where that belongs to no single field. */
export function CreateFailure({ failure }: { failure: ActionFailure }) {
  // The answer was lost, which says nothing about the act.
  const isUnknown = failure.code === 'UNAVAILABLE';
  return (
    <ErrorPanel
      title={isUnknown ? 'It is unknown whether the key was created' : 'The key was not created'}
      message={
        isUnknown ? `${failure.message} Look into the list before you try again.` : failure.message
      }
      requestId={failure.requestId}
    />
  );
}
