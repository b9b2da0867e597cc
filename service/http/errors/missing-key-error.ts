/**
 * A request without any key. It is the only 401 with a body of its own (specification,
 * Authentication 5).
 */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';
}
