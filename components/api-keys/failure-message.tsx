import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

type FailureMessageProps = {
  failure: ActionFailure;
  /** What it means that no answer came: whether trying again is safe. */
  adviceIfUnknown: string;
};

/** Why an act was not done, in the service's words, and how to find it in the log. */
export function FailureMessage({ failure, adviceIfUnknown }: FailureMessageProps) {
  const messages = Object.values(failure.details ?? {}).flat();
  return (
    <>
      <ServiceText text={messages.length > 0 ? messages.join(' ') : failure.message} />
      {isOutcomeUnknown(failure) && ` ${adviceIfUnknown}`}
      {failure.requestId !== undefined && (
        <>
          {' '}
          Request <span className="code">{failure.requestId}</span>
        </>
      )}
    </>
  );
}
