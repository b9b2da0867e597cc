/** For a Cancel button's `disabledReason`: a request that was sent can't be taken back. */
export function cancelDisabledReason(isPending: boolean): string | undefined {
  return isPending
    ? 'The request was sent and can’t be cancelled. Wait until it is answered.'
    : undefined;
}
