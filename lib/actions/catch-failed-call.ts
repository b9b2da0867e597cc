import { unstable_isUnrecognizedActionError as isUnrecognizedActionError } from 'next/navigation';
import { noResponseMessage } from '../api/api-error.ts';
import { publicUrlSetting } from '../contract/public-url-setting.ts';
import type { ActionFailure } from './action-result.ts';

/**
 * Catches the rejection of a server action, which would replace the page, and what was typed, with
 * an error page. It becomes PAGE_OUTDATED if the page is from before an upgrade, because the
 * service does not know its actions, FORBIDDEN if the service is reached in a way that contradicts
 * its address, and UNAVAILABLE if there is no network.
 */
export async function catchFailedCall<Result>(
  call: Promise<Result>,
): Promise<Result | ActionFailure> {
  return await call.catch((error: unknown) => {
    if (isUnrecognizedActionError(error)) return pageOutdated;
    // Next makes the text of a refusal the error's message.
    const message = error instanceof Error ? error.message.trim() : '';
    const isRefused = message.includes(publicUrlSetting);
    return isRefused
      ? { ok: false, code: 'FORBIDDEN', message }
      : { ok: false, code: 'UNAVAILABLE', message: noResponseMessage() };
  });
}

const pageOutdated: ActionFailure = {
  ok: false,
  code: 'PAGE_OUTDATED',
  message:
    'The dashboard was updated after you opened this page. Copy what you typed, then reload the page.',
};
