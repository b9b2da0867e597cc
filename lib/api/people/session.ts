import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/sessions.ts';
import type { Session, SignedInSession } from '../../contract/people/sessions.ts';
import type { finishSignInInput, PendingSignIn } from '../../contract/people/second-factors.ts';
import { request } from '../client.ts';

/** The value for the device cookie, and how long the browser may keep it, in seconds. */
export type NewDevice = { deviceToken: string; deviceMaxAge: number };

/** The same for the session cookie. */
export type SessionCookie = { token: string; maxAge: number };

export type NewSession = SessionCookie & NewDevice;

export type SignInInput = z.input<typeof contract.signInInput>;
export type FinishSignInInput = z.input<typeof finishSignInInput>;
export type ConfirmIdentityInput = z.input<typeof contract.confirmIdentityInput>;
export type SetUpInput = z.input<typeof contract.setUpInput>;
export type ChangePasswordInput = z.input<typeof contract.changePasswordInput>;

/** The right password signs in, or a second factor is asked for. */
export type SignInOutcome =
  | { kind: 'signed_in'; session: NewSession }
  | { kind: 'pending'; pending: PendingSignIn };

/**
 * @param deviceToken what an earlier sign-in left in this browser
 * @throws ApiError VALIDATION_ERROR for a wrong address or password alike
 */
export async function signIn(
  input: SignInInput,
  deviceToken: string | null,
): Promise<SignInOutcome> {
  const body = { ...input, ...(deviceToken !== null && { device_token: deviceToken }) };
  const { data } = await request(contract.signIn, { body });
  return 'pending_token' in data
    ? { kind: 'pending', pending: data }
    : { kind: 'signed_in', session: cookiesOf(data) };
}

/**
 * Signs in with a second factor. @param pendingToken what `signIn` gave
 * @throws ApiError VALIDATION_ERROR for one that is not right
 */
export async function finishSignIn(
  given: FinishSignInInput,
  { pendingToken, deviceToken }: { pendingToken: string; deviceToken: string | null },
): Promise<NewSession> {
  const body = {
    ...given,
    pending_token: pendingToken,
    ...(deviceToken !== null && { device_token: deviceToken }),
  };
  return cookiesOf((await request(contract.finishSignIn, { body })).data);
}

/** Who is signed in. @throws ApiError */
export async function getSession(): Promise<Session> {
  return (await request(contract.getSession, {})).data;
}

/** Ends the session on the service, from whichever page: also of an account that one just left. @throws ApiError */
export async function signOut(): Promise<void> {
  await request(contract.signOut, {}, { account: null });
}

/**
 * Allows sensitive acts for a while; gives the session's new cookie.
 * @throws ApiError VALIDATION_ERROR for a wrong password or second factor
 */
export async function confirmIdentity(input: ConfirmIdentityInput): Promise<SessionCookie> {
  return sessionCookie((await request(contract.confirmIdentity, { body: input })).data);
}

/** Makes another of the person's accounts the one that this session opens with. @throws ApiError NOT_FOUND */
export async function chooseAccount(account: string): Promise<void> {
  await request(contract.chooseAccount, { body: { account } });
}

/** Where the person is signed in, here included. @throws ApiError */
export async function listSessions(): Promise<SignedInSession[]> {
  return (await request(contract.listSessions, {})).data;
}

/** Signs one other session of the person's own out. @throws ApiError NOT_FOUND if it is over */
export async function endSession(session: string): Promise<void> {
  await request(contract.endSession, { params: { session } });
}

/** Signs the person out everywhere but here; gives how many sessions that ended. @throws ApiError */
export async function endOtherSessions(): Promise<{ ended: number }> {
  return (await request(contract.endOtherSessions, {})).data;
}

/**
 * Changes the person's password and signs them out everywhere but here; gives how many sessions
 * that ended, and the cookies by which this browser is known from now on.
 * @throws ApiError VALIDATION_ERROR for a wrong current password
 */
export async function changePassword(
  input: ChangePasswordInput,
): Promise<{ endedSessions: number } & NewSession> {
  const { data } = await request(contract.changePassword, { body: input });
  return { endedSessions: data.ended_sessions, ...cookiesOf(data) };
}

/** Whether the service still waits for its first person. @throws ApiError */
export async function isSetUpOpen(): Promise<boolean> {
  return (await request(contract.getSetUp, {})).data.open;
}

/** Until when a set-up link is good. @throws ApiError if it no longer is */
export async function checkSetUpToken(token: string): Promise<{ validUntil: string }> {
  const { data } = await request(contract.checkSetUpToken, { body: { set_up_token: token } });
  return { validUntil: data.valid_until };
}

/** Makes the first account and its owner, signed in. @throws ApiError */
export async function setUp(input: SetUpInput): Promise<NewSession> {
  return cookiesOf((await request(contract.setUp, { body: input })).data);
}

type SessionFields = { session_token: string; max_age: number };
type DeviceFields = { device_token: string; device_max_age: number };

/** What the browser keeps of a session that was just opened. */
export function cookiesOf(data: SessionFields & DeviceFields): NewSession {
  const { device_token: deviceToken, device_max_age: deviceMaxAge } = data;
  return { ...sessionCookie(data), deviceToken, deviceMaxAge };
}

function sessionCookie(data: SessionFields): SessionCookie {
  return { token: data.session_token, maxAge: data.max_age };
}
