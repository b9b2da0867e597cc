/** Why the service does not start, in words for the operator. It is shown without a stack trace. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
