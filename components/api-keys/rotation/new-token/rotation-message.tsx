import { ServiceText } from '#components/shell/feedback/service-text.tsx';

const saveNow = /^Save this \w+ now; it will not be shown again\.\s*/;
const deadline = /until \d{4}-[\d-]+T[\d:.]+[+-][\d:]+/g;
const lastDeadline = /(until \d{4}-\S+)\.(?=\s|$)/;

/**
 * The service's message about when the older tokens end, without the advice that the dialog gives
 * already.
 */
export function RotationMessage({ message }: { message: string }) {
  const text = message.replace(saveNow, '');
  const hasOneDeadline = text.match(deadline)?.length === 1;
  const advice = `Switch to the new one before ${hasOneDeadline ? 'then' : 'they end'}.`;
  return <ServiceText text={text.replace(lastDeadline, `$1. ${advice}`)} />;
}
