/** Why the service does not start, in words for the operator; shown without a stack. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
