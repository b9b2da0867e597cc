import 'server-only';
import { notFound, unstable_rethrow } from 'next/navigation';
import { ApiError } from '#lib/api/api-error.ts';

/**
 * What a page is about. If it does not exist, or the person may not see it, this leads to the
 * not-found page.
 * @throws ApiError for every other failed read
 */
export async function orNotFound<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
}

/**
 * Null for what could not be read just now: the page then reads it again and shows the error. What
 * leads to another page, as `orNotFound` does, still does.
 */
export async function nullIfUnreadable<Value>(read: Promise<Value>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
