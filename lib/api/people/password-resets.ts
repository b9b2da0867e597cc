import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/password-resets.ts';
import { request } from '../client/client.ts';

export type FinishPasswordResetInput = z.input<typeof contract.finishPasswordResetInput>;

/**
 * Emails a link to the person with this email address, if there is one; says whether emails are
 * sent at all. @throws ApiError
 */
export async function requestPasswordReset(email: string): Promise<{ isMailed: boolean }> {
  const { data } = await request(contract.requestPasswordReset, { body: { email } });
  return { isMailed: data.is_mailed };
}

/** Whose password a link resets, and until when. @throws ApiError if it is no longer valid */
export async function checkPasswordReset(
  token: string,
): Promise<{ email: string; expiresAt: string }> {
  const { data } = await request(contract.checkPasswordReset, { body: { reset_token: token } });
  return { email: data.email, expiresAt: data.expires_at };
}

/** Sets the password and signs the person out everywhere. @throws ApiError */
export async function finishPasswordReset(
  input: FinishPasswordResetInput,
): Promise<{ email: string }> {
  return (await request(contract.finishPasswordReset, { body: input })).data;
}
