import 'server-only';
import type { z } from 'zod';
import * as contract from '../contract/dashboard.ts';
import type { Session } from '../contract/dashboard.ts';
import { request } from './client.ts';

/** The value for the session cookie, and how long the browser may keep it, in seconds. */
export type NewSession = { token: string; maxAge: number };

export type SignInInput = z.input<typeof contract.signInInput>;
export type SetUpInput = z.input<typeof contract.setUpInput>;

/** @throws ApiError, UNAUTHORIZED for a wrong address or password alike */
export async function signIn(input: SignInInput): Promise<NewSession> {
  return newSession(await request(contract.signIn, { body: input }));
}

/** Who is signed in. @throws ApiError */
export async function getSession(): Promise<Session> {
  return (await request(contract.getSession, {})).data;
}

/** Ends the session on the service. @throws ApiError */
export async function signOut(): Promise<void> {
  await request(contract.signOut, {});
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
  return newSession(await request(contract.setUp, { body: input }));
}

function newSession(reply: { data: { session_token: string; max_age: number } }): NewSession {
  return { token: reply.data.session_token, maxAge: reply.data.max_age };
}
