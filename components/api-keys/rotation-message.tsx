import { ServiceText } from '#components/shell/service-text.tsx';

const SAVE_NOW = /^Save this \w+ now; it will not be shown again\.\s*/;
const DEADLINE = /(until \d{4}-\S+)\.(?=\s|$)/;

/**
 * What became of the older tokens, which the service alone knows; without the advice that stands in
 * the dialog already.
 */
export function RotationMessage({ message }: { message: string }) {
  const told = message.replace(SAVE_NOW, '');
  return <ServiceText text={told.replace(DEADLINE, '$1. Put the new one in place before then.')} />;
}
