import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';

type FailureMessageProps = {
  failure: ActionFailure;
  /** What to add if no answer came: whether trying again is safe. */
  adviceIfUnknown: string;
};

/** The service's message about a failed action, with the request ID for the log. */
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
