import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/second-factors.ts';
import type { Passkey, SecondFactors } from '../../contract/people/second-factors.ts';
import { request } from '../client/client.ts';

/** Options for `navigator.credentials`, in JSON. */
export type PasskeyOptions = Record<string, unknown>;

export type AddPasskeyInput = z.input<typeof contract.addPasskeyInput>;
export type RenamePasskeyInput = z.input<typeof contract.renamePasskeyInput>;
export type ConfirmAppInput = z.input<typeof contract.confirmAppInput>;

/** The person's second factors. @throws ApiError */
export async function getSecondFactors(): Promise<SecondFactors> {
  return (await request(contract.getSecondFactors, {})).data;
}

/** Makes the key of an authenticator app, not in use yet. @throws ApiError */
export async function startApp(): Promise<{ key: string; uri: string }> {
  return (await request(contract.startApp, {})).data;
}

/** Turns the app on. @throws ApiError VALIDATION_ERROR for a wrong code */
export async function confirmApp(
  input: ConfirmAppInput,
): Promise<{ recoveryCodes: string[] | null }> {
  const { data } = await request(contract.confirmApp, { body: input });
  return { recoveryCodes: data.recovery_codes };
}

/** @throws ApiError */
export async function removeApp(): Promise<void> {
  await request(contract.removeApp, {});
}

/** @throws ApiError VALIDATION_ERROR where passkeys don't work */
export async function startPasskey(): Promise<PasskeyOptions> {
  return (await request(contract.startPasskey, {})).data;
}

/** @throws ApiError VALIDATION_ERROR for one that is not valid */
export async function addPasskey(
  input: AddPasskeyInput,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { data } = await request(contract.addPasskey, { body: input });
  return { passkey: data.passkey, recoveryCodes: data.recovery_codes };
}

/** @throws ApiError */
export async function renamePasskey(passkey: string, input: RenamePasskeyInput): Promise<Passkey> {
  return (await request(contract.renamePasskey, { params: { passkey }, body: input })).data;
}

/** @throws ApiError */
export async function removePasskey(passkey: string): Promise<void> {
  await request(contract.removePasskey, { params: { passkey } });
}

/** Creates new recovery codes, which replace all earlier ones. @throws ApiError */
export async function createRecoveryCodes(): Promise<string[]> {
  return (await request(contract.createRecoveryCodes, {})).data.recovery_codes;
}

/** Options to prove with a passkey who the person is. @throws ApiError */
export async function startPasskeyProof(): Promise<PasskeyOptions> {
  return (await request(contract.startPasskeyProof, {})).data;
}

/** Options to sign in with a passkey after the password. @throws ApiError */
export async function startPasskeySignIn(pendingToken: string): Promise<PasskeyOptions> {
  const body = { pending_token: pendingToken };
  return (await request(contract.startPasskeySignIn, { body })).data;
}
