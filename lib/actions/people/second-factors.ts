'use server';

import * as api from '../../api/people/second-factors.ts';
import type {
  AddPasskeyInput,
  ConfirmAppInput,
  PasskeyOptions,
  RenamePasskeyInput,
} from '../../api/people/second-factors.ts';
import type { Passkey } from '../../contract/people/second-factors.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction } from '../run-server-action.ts';

/** Creates the key of an authenticator app: as text, and as the URI in a QR code. */
export async function startApp(): Promise<ActionResult<{ key: string; uri: string }>> {
  return await runServerAction(actionArguments.startApp, [], api.startApp);
}

/**
 * Turns the app on with one of its codes. Creates recovery codes if it is the first second factor.
 */
export async function confirmApp(
  input: ConfirmAppInput,
): Promise<ActionResult<{ recoveryCodes: string[] | null }>> {
  return await runServerAction(actionArguments.confirmApp, [input], ([valid]) =>
    api.confirmApp(valid),
  );
}

/** Removes the authenticator app. */
export async function removeApp(): Promise<ActionResult> {
  return await runServerAction(actionArguments.removeApp, [], async () => {
    await api.removeApp();
    return {};
  });
}

/** Options to create a passkey, for `navigator.credentials.create`. */
export async function startPasskey(): Promise<ActionResult<{ options: PasskeyOptions }>> {
  return await runServerAction(actionArguments.startPasskey, [], async () => ({
    options: await api.startPasskey(),
  }));
}

/**
 * Adds the passkey that the browser created. Creates recovery codes if it is the first second
 * factor.
 */
export async function addPasskey(
  input: AddPasskeyInput,
): Promise<ActionResult<{ passkey: Passkey; recoveryCodes: string[] | null }>> {
  return await runServerAction(actionArguments.addPasskey, [input], ([valid]) =>
    api.addPasskey(valid),
  );
}

/** Renames a passkey. */
export async function renamePasskey(
  passkey: string,
  input: RenamePasskeyInput,
): Promise<ActionResult> {
  return await runServerAction(actionArguments.renamePasskey, [passkey, input], async (valid) => {
    await api.renamePasskey(...valid);
    return {};
  });
}

/** Removes a passkey. */
export async function removePasskey(passkey: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.removePasskey, [passkey], async (valid) => {
    await api.removePasskey(...valid);
    return {};
  });
}

/** Creates new recovery codes, which end all earlier ones. */
export async function createRecoveryCodes(): Promise<ActionResult<{ recoveryCodes: string[] }>> {
  return await runServerAction(actionArguments.createRecoveryCodes, [], async () => ({
    recoveryCodes: await api.createRecoveryCodes(),
  }));
}

/** Options to prove with a passkey who the person is, for `navigator.credentials.get`. */
export async function startPasskeyProof(): Promise<ActionResult<{ options: PasskeyOptions }>> {
  return await runServerAction(actionArguments.startPasskeyProof, [], async () => ({
    options: await api.startPasskeyProof(),
  }));
}
