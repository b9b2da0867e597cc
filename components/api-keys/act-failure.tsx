import { ServiceText } from '#components/shell/service-text.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

type ActFailureProps = {
  failure: ActionFailure;
  /** What it means that no answer came: whether trying again is safe. */
  ifUnknown: string;
};

/** Why an act was not done, in the service's words, and how to find it in the log. */
export function ActFailure({ failure, ifUnknown }: ActFailureProps) {
  const told = Object.values(failure.details ?? {}).flat();
  return (
    <>
      <ServiceText text={told.length > 0 ? told.join(' ') : failure.message} />
      {isOutcomeUnknown(failure) && ` ${ifUnknown}`}
      {failure.requestId !== undefined && (
        <>
          {' '}
          Request <span className="code">{failure.requestId}</span>
        </>
      )}
    </>
  );
}
