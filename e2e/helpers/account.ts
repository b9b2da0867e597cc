import { randomBytes } from 'node:crypto';
import type { Cookie } from '@playwright/test';
import type { Account, Person } from 'conversation-service-playwright-kit';
import { newToken } from './servers/server.ts';
import type { WorkerServer } from './servers/worker-server.ts';

/** Makes an account whose owner is signed in. */
export async function makeAccount(worker: WorkerServer, name: string): Promise<Account> {
  const { control, password, server } = worker;
  const domain = `${randomBytes(6).toString('hex')}.example.com`;
  const owner = { email: `ada@${domain}`, password };
  const token = newToken();
  const id = await control.addAccount({ name, ...owner, token });
  return {
    id,
    name,
    home: `${server.origin}/a/${id}/`,
    domain,
    owner,
    session: await openSession(worker, owner),
    token,
    async memberWith(role) {
      const person = { email: `${role}@${domain}`, password };
      await control.addMember({ accountId: id, ...person, role });
      return { ...person, session: await openSession(worker, person) };
    },
    remove: async () => undefined,
  };
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
