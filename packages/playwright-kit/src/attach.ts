import { randomBytes } from 'node:crypto';
import type { Account, Installation, Member, Role } from './installation.ts';
import { sessionCookies } from './session-cookies.ts';
import { version } from './version.ts';

/** Less than the time of a test, so that the report says that the service does not respond. */
const patienceMs = 20_000;

const roles: readonly Role[] = ['owner', 'admin', 'support', 'viewer'];

/**
 * Tests a service that runs already, with the token of `npm run admin -- create-provisioner`: each
 * test gets an account of its own in it, which ends with the test.
 *
 * @throws if the service does not respond, is of another version, or refuses the token
 */
export async function attach({
  url,
  provisionerToken,
}: {
  url: string;
  provisionerToken: string;
}): Promise<Installation> {
  if (!URL.canParse(url)) throw new Error(`"${url}" is not the URL of a service.`);
  // The error of `fetch` would quote it.
  if (/[^ -~]/.test(provisionerToken.trim())) {
    throw new Error(
      'The provisioner token contains a line break or another character that no token has.',
    );
  }
  const { origin } = new URL(url);

  async function call(method: string, path: string, body?: object): Promise<Response> {
    const request = fetch(origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${provisionerToken}`,
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    return await request.catch((error: unknown) => {
      const { cause = error } = error as { cause?: unknown };
      throw new Error(`No service responds at ${origin}: ${String(cause)}.`);
    });
  }

  async function confirmVersion(): Promise<void> {
    const response = await call('GET', '/api/v1/openapi.json');
    const document = (await response.json().catch(() => ({}))) as { info?: { version?: string } };
    const found = document.info?.version ?? 'unknown';
    if (found === version) return;
    throw new Error(
      `The service at ${origin} has version ${found}, but this kit is for version ${version}.`,
    );
  }

  async function confirmToken(): Promise<void> {
    // An account that does not exist: 404 for a provisioner, and 401 for everyone else.
    const { status } = await call('DELETE', `/api/provisioning/accounts/${crypto.randomUUID()}`);
    if (status !== 401) return;
    throw new Error(
      'The service does not accept the provisioner token: it is wrong, expired or removed, so make another with npm run admin -- create-provisioner.',
    );
  }

  async function addAccount(name: string): Promise<Account> {
    const marker = randomBytes(6).toString('hex');
    const domain = `${marker}.test`;
    const password = `Ada's ${randomBytes(9).toString('hex')}`;
    const response = await call('POST', '/api/provisioning/accounts', {
      name,
      password,
      people: roles.map((role) => ({ name: role, email: `${role}@${domain}`, role })),
    });
    if (response.status !== 201) {
      throw new Error(
        `The service created no account: ${response.status} ${await response.text()}`,
      );
    }
    const { data } = (await response.json()) as { data: Provisioned };
    const members = data.people.map(({ email, role, session_token: token }) => ({
      role,
      member: { email, password, session: sessionCookies(origin, { session: token }) },
    }));
    const memberOf = (wanted: Role): Member => {
      const found = members.find(({ role }) => role === wanted);
      if (!found) throw new Error(`There is no role ${wanted}.`);
      return found.member;
    };
    const { session, ...owner } = memberOf('owner');
    return {
      id: data.id,
      name,
      home: `${origin}/a/${data.id}/`,
      domain,
      owner,
      session,
      token: data.token,
      memberWith: async (role) => memberOf(role),
      async remove() {
        await call('DELETE', `/api/provisioning/accounts/${data.id}`);
      },
    };
  }

  await confirmVersion();
  await confirmToken();
  return { origin, addAccount, control: null, close: async () => undefined };
}

type Provisioned = {
  id: string;
  token: string;
  people: { email: string; role: Role; session_token: string }[];
};
