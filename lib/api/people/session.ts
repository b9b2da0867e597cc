import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/sessions.ts';
import * as setUpContract from '../../contract/people/set-up.ts';
import { maxSessionTokenLength } from '../../contract/people/new-session.ts';
import * as signInContract from '../../contract/people/sign-in.ts';
import type { Session, SignedInSession } from '../../contract/people/sessions.ts';
import type { finishSignInInput, PendingSignIn } from '../../contract/people/second-factors.ts';
import { readSessionToken } from '../../cookies/session-cookie.ts';
import { request } from '../client/client.ts';

/** The value for the device cookie, and how long the browser may keep it, in seconds. */
export type NewDevice = { deviceToken: string; deviceMaxAge: number };

/** The same for the session cookie. */
export type SessionCookie = { token: string; maxAge: number };

export type NewSession = SessionCookie & NewDevice;

export type SignInInput = z.input<typeof signInContract.signInInput>;
export type FinishSignInInput = z.input<typeof finishSignInInput>;
export type ConfirmIdentityInput = z.input<typeof contract.confirmIdentityInput>;
export type SetUpInput = z.input<typeof setUpContract.setUpInput>;
export type ChangePasswordInput = z.input<typeof contract.changePasswordInput>;

/** The result of a right password: signed in, or a second factor is needed. */
export type SignInOutcome =
  | { kind: 'signed_in'; session: NewSession }
  | { kind: 'pending'; pending: PendingSignIn };

/**
 * @param deviceToken the value of the device cookie that an earlier sign-in set
 * @throws ApiError VALIDATION_ERROR for a wrong address or password alike
 */
export async function signIn(
  input: SignInInput,
  deviceToken: string | null,
): Promise<SignInOutcome> {
  const body = {
    ...input,
    ...(deviceToken !== null && { device_token: deviceToken }),
    ...(await earlierSession()),
  };
  const { data } = await request(signInContract.signIn, { body });
  return 'pending_token' in data
    ? { kind: 'pending', pending: data }
    : { kind: 'signed_in', session: cookiesOf(data) };
}

/**
 * Signs in with a second factor. @param pendingToken from `signIn`
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
    ...(await earlierSession()),
  };
  return cookiesOf((await request(signInContract.finishSignIn, { body })).data);
}

/**
 * Who is signed in.
 * @param options.account in which account, if it is another one than that of the URL
 * @throws ApiError
 */
export async function getSession(options: { account?: string | null } = {}): Promise<Session> {
  return (await request(contract.getSession, {}, options)).data;
}

/**
 * Ends the session on the service. Callable from any page, also from an account that the person has
 * just left. @throws ApiError
 */
export async function signOut(): Promise<void> {
  await request(contract.signOut, {}, { account: null });
}

/**
 * Allows sensitive acts for a while; returns the session's new cookie.
 * @throws ApiError VALIDATION_ERROR for a wrong password or second factor
 */
export async function confirmIdentity(input: ConfirmIdentityInput): Promise<SessionCookie> {
  return sessionCookie((await request(contract.confirmIdentity, { body: input })).data);
}

/**
 * Makes another of the person's accounts the one that this session opens with. @throws ApiError
 * NOT_FOUND
 */
export async function chooseAccount(account: string): Promise<void> {
  await request(contract.chooseAccount, { body: { account } });
}

/** Where the person is signed in, including this browser. @throws ApiError */
export async function listSessions(): Promise<SignedInSession[]> {
  return (await request(contract.listSessions, {})).data;
}

/** Ends one other session of the person. @throws ApiError NOT_FOUND if it has ended */
export async function endSession(session: string): Promise<void> {
  await request(contract.endSession, { params: { session } });
}

/** Signs the person out everywhere but here; returns how many sessions ended. @throws ApiError */
export async function endOtherSessions(): Promise<{ ended: number }> {
  return (await request(contract.endOtherSessions, {})).data;
}

/**
 * Changes the person's password and signs them out everywhere but here. Returns how many sessions
 * ended, and the new cookies of the session and the device.
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
  return (await request(setUpContract.getSetUp, {})).data.open;
}

/** Until when a set-up link is valid. @throws ApiError if it is no longer valid */
export async function checkSetUpToken(token: string): Promise<{ validUntil: string }> {
  const { data } = await request(setUpContract.checkSetUpToken, { body: { set_up_token: token } });
  return { validUntil: data.valid_until };
}

/** Creates the first account and its owner, who is then signed in. @throws ApiError */
export async function setUp(input: SetUpInput): Promise<NewSession> {
  return cookiesOf((await request(setUpContract.setUp, { body: input })).data);
}

/**
 * The session that this browser already has, as calls that sign somebody in name it, so that it
 * does not go on after its cookie is replaced.
 */
export async function earlierSession(): Promise<{ earlier_session?: string }> {
  const token = await readSessionToken();
  return token !== null && token.length <= maxSessionTokenLength ? { earlier_session: token } : {};
}

type SessionFields = { session_token: string; max_age: number };
type DeviceFields = { device_token: string; device_max_age: number };

/** The cookies of a session that was just opened. */
export function cookiesOf(data: SessionFields & DeviceFields): NewSession {
  const { device_token: deviceToken, device_max_age: deviceMaxAge } = data;
  return { ...sessionCookie(data), deviceToken, deviceMaxAge };
}

function sessionCookie(data: SessionFields): SessionCookie {
  return { token: data.session_token, maxAge: data.max_age };
}
