import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Cookie } from '@playwright/test';
import type { Control, Mail } from './control.ts';
import type { Account, Installation, Person } from './installation.ts';
import { newToken, startServer } from './server.ts';
import type { Environment, Server, ServerOptions } from './server.ts';
import { sessionCookies } from './session-cookies.ts';

/** A service that the kit started, with what only its tests may do to it. */
export type OwnInstallation = Installation & {
  /** Its process. */
  server: Server;
  /** Moves its clock, changes settings, and adds accounts and people. */
  readonly control: Control;
  /** The password of all people, so that one hash is enough. */
  password: string;
  /** Waits for an email to this address with this subject, and returns the newest. */
  readMail: (mail: { to: string; subject: string }) => Promise<string>;
};

/** Lets webhooks reach a receiver on this machine, and a suite make many calls. */
const settings: Environment = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  RATE_LIMIT_PER_MINUTE: '6000',
  RATE_LIMIT_CREATIONS_PER_HOUR: '6000',
};

/**
 * Starts a service of its own from the folder of the built product, with a port, a data folder, a
 * clock and a mailbox that nothing else uses.
 */
export async function createInstallation({
  environment = {},
  ...options
}: Omit<ServerOptions, 'isControlled'>): Promise<OwnInstallation> {
  const server = await startServer({
    ...options,
    environment: { ...settings, ...environment },
    isControlled: true,
  });
  const password = `Ada's ${randomBytes(9).toString('hex')}`;

  const installation: OwnInstallation = {
    origin: server.origin,
    server,
    password,
    get control() {
      if (server.control === null) throw new Error('the service takes no commands');
      return server.control;
    },
    addAccount: async (name) => await addAccount(installation, name),
    async readMail({ to, subject }) {
      let found: Mail | undefined;
      await expect(async () => {
        const mails = await installation.control.listMails({ to });
        found = mails.find((mail) => mail.subject === subject);
        expect(found, `no email "${subject}" to ${to}`).toBeDefined();
      }).toPass({ timeout: 15_000 });
      return found?.text ?? '';
    },
    close: async () => await server.destroy(),
  };
  return installation;
}

async function addAccount(installation: OwnInstallation, name: string): Promise<Account> {
  const { control, origin, password } = installation;
  const domain = `${randomBytes(6).toString('hex')}.example.com`;
  const owner = { email: `ada@${domain}`, password };
  const token = newToken();
  const id = await control.addAccount({ name, ...owner, token });
  return {
    id,
    name,
    home: `${origin}/a/${id}/`,
    domain,
    owner,
    session: await openSession(installation, owner),
    token,
    async memberWith(role) {
      const person = { email: `${role}@${domain}`, password };
      await installation.control.addMember({ accountId: id, ...person, role });
      return { ...person, session: await openSession(installation, person) };
    },
    // The whole service ends with the tests.
    remove: async () => undefined,
  };
}

/** The cookies of a browser in which this person has just signed in, without their password. */
export async function openSession(
  { control, origin }: Pick<OwnInstallation, 'control' | 'origin'>,
  { email }: Pick<Person, 'email'>,
): Promise<Cookie[]> {
  const { sessionToken, deviceToken } = await control.openSession({ email });
  return sessionCookies(origin, { session: sessionToken, device: deviceToken });
}
