import type { ActionFailure } from '#lib/actions/action-result.ts';

/** Why something was refused, in the service's words: what it says of a field, if it names one. */
export function failureText({ message, details = {} }: ActionFailure): string {
  const messages = Object.values(details).flat();
  return messages.length > 0 ? messages.join(' ') : message;
}
