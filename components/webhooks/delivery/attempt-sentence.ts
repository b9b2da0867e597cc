import type { AttemptSummary } from '#lib/contract/deliveries/delivery.ts';

export function attemptSentence({
  status_code: code,
  redirects_to: target,
  error,
}: Pick<AttemptSummary, 'status_code' | 'redirects_to' | 'error'>): string {
  if (error !== null) return error.message;
  if (target !== null) {
    return `The receiver responded with ${code}. Redirects are not followed. It points to ${target}: use this URL?`;
  }
  return code === null ? 'There was no response.' : `The receiver responded with ${code}.`;
}
