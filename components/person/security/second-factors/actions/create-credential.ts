import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';

import type { PasskeyAttestation } from '#lib/contract/people/second-factors.ts';

/**
 * Has the browser create a passkey with the options of the service.
 *
 * @returns a sentence that says why, if the browser created none
 */
export async function createCredential(
  options: Record<string, unknown>,
): Promise<PasskeyAttestation | string> {
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser');
  try {
    return (await startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    })) as PasskeyAttestation;
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    return isKnown
      ? 'This device has one of your passkeys already.'
      : 'No passkey was created. Try again.';
  }
}
