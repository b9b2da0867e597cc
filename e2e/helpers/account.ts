import { randomBytes } from 'node:crypto';
import type { Cookie } from '@playwright/test';
import type { Person } from '../pages/people/sign-in.ts';
import { newToken } from './servers/server.ts';
import type { WorkerServer } from './servers/worker-server.ts';

/** An account that one test works in. */
export type Account = {
  id: string;
  name: string;
  owner: Person;
  /** The email domain of everyone in this test, which no other test uses. */
  domain: string;
  /** The token of its first key, which has every scope. */
  token: string;
  /** The owner's cookies. */
  session: Cookie[];
};

/** Makes an account whose owner is signed in. */
export async function makeAccount(worker: WorkerServer, name: string): Promise<Account> {
  const { control, password } = worker;
  const domain = `${randomBytes(6).toString('hex')}.example.com`;
  const owner = { email: `ada@${domain}`, password };
  const token = newToken();
  const id = await control.addAccount({ name, ...owner, token });
  return { id, name, owner, domain, token, session: await openSession(worker, owner) };
}

/** The cookies of a browser in which this person has just signed in, without their password. */
export async function openSession(
  { control, server }: Pick<WorkerServer, 'control' | 'server'>,
  { email }: Pick<Person, 'email'>,
): Promise<Cookie[]> {
  const { sessionToken, deviceToken } = await control.openSession({ email });
  const kept = { domain: new URL(server.origin).hostname, path: '/', httpOnly: true };
  const forADay = { ...kept, secure: false, expires: Math.floor(Date.now() / 1000) + 86_400 };
  return [
    { name: 'session', value: encodeURIComponent(sessionToken), sameSite: 'Lax', ...forADay },
    { name: 'device', value: encodeURIComponent(deviceToken), sameSite: 'Strict', ...forADay },
  ];
}
