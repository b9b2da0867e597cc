import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { PasskeyAssertion } from '#lib/contract/people/second-factors.ts';

/**
 * Has the browser ask for one of the passkeys that the options of the service name.
 *
 * @returns null if the person closed the browser's dialog, or none of their passkeys is here
 */
export async function signChallenge(
  options: Record<string, unknown>,
): Promise<PasskeyAssertion | null> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return (await startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    })) as PasskeyAssertion;
  } catch {
    return null;
  }
}

/** The failure that a form shows beside its button if no passkey was given. */
export const noPasskey: ActionFailure = {
  ok: false,
  code: 'VALIDATION_ERROR',
  message: 'No passkey was used.',
  details: { passkey: ['No passkey was used. Try again, or use another way.'] },
};
