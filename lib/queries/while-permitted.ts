import { ApiError } from '../api/api-error.ts';

/** Whether a read was refused because the person may not, or no longer, see what it is about. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'FORBIDDEN';
}

/** Whether what was to be read does not exist, or no longer, or not for this person. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND';
}

/**
 * What a page may show of what was read: nothing once a read is forbidden, for what was read before
 * the role changed must not be shown any longer. After any other failure it stays.
 */
export function whilePermitted<Data>(data: Data | undefined, error: unknown): Data | undefined {
  return isForbidden(error) ? undefined : data;
}
