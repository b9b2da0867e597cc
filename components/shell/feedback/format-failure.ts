import type { ActionFailure } from '#lib/actions/action-result.ts';

/** The service's message about a failure: the messages about fields if there are any. */
export function formatFailure({ message, details = {} }: ActionFailure): string {
  const messages = Object.values(details).flat();
  return messages.length > 0 ? messages.join(' ') : message;
}
