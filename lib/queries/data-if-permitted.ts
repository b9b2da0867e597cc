import { ApiError } from '../api/api-error.ts';

/** Whether a read was refused because the person may not, or may no longer, see the data. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'FORBIDDEN';
}

/** Whether the data does not exist, no longer exists, or may not be seen by this person. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND';
}

/**
 * The data that a page may show: none once a read is forbidden, because data from before a change
 * of role must no longer be shown. After any other failure the data stays.
 */
export function dataIfPermitted<Data>(data: Data | undefined, error: unknown): Data | undefined {
  return isForbidden(error) ? undefined : data;
}
