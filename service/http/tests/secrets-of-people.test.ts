import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { TestApi, dataOf } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../testing/records/people.ts';
import { codeOf } from '../../testing/records/second-factors.ts';
import { SoftwareAuthenticator } from '../../testing/software-authenticator.ts';
import { useContext } from '../../testing/use-api.ts';

/**
 * A day of people: second factors, invitations, lost passwords and changed addresses. Then every
 * secret of that day is searched for in every response, email, log line and row.
 */
const password = 'correct horse battery';
const chosen = 'a staple that nobody knows';

const ctx = useContext();
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

/** A secret, the acts whose responses may contain it, and the subjects of the emails that may. */
type Secret = { what: string; value: string; responses: string[]; mails: string[] };

class Walk {
  readonly secrets: Secret[] = [];
  readonly responses: { act: string; text: string }[] = [];
  readonly #mailing: TestApi;
  readonly #notMailing: TestApi;
  #addresses = 0;

  constructor() {
    const smtpUrl = 'smtp://mail.example.com';
    this.#mailing = new TestApi({ ...ctx, config: { ...ctx.config, smtpUrl } });
    this.#notMailing = new TestApi(ctx);
  }

  /** @param session null for a call without one */
  async call(
    act: string,
    options: { body?: unknown; session?: string | null; isMailed?: boolean; status?: number },
  ): Promise<ApiResponse> {
    const { body, session = null, isMailed = true, status = 201 } = options;
    const [method = '', path = ''] = act.split(' ');
    this.#addresses += 1;
    const response = await (isMailed ? this.#mailing : this.#notMailing).call(
      method,
      path.startsWith('v1/') ? `/api/${path}` : `/api/dashboard/${path}`,
      {
        token: ctx.dashboardCredential,
        headers: {
          'X-Dashboard-Client': `10.7.0.${this.#addresses} Firefox`,
          ...(session !== null && { 'X-Dashboard-Session': session }),
        },
        ...(body !== undefined && { body }),
      },
    );
    expect(response.status, `${act}: ${response.text}`).toBe(status);
    this.responses.push({ act, text: `${response.text} ${JSON.stringify([...response.headers])}` });
    return response;
  }

  made(what: string, value: unknown, { responses = [], mails = [] }: Partial<Secret> = {}): string {
    expect(value, what).toEqual(expect.stringMatching(/^\S{6}/));
    this.secrets.push({ what, value: String(value), responses, mails });
    return String(value);
  }

  /**
   * The token of the last link that was emailed to a person, with the responses that may contain
   * it.
   */
  mailed(what: string, { to, page }: { to: string; page: string }): string {
    const mail = ctx.mails.findLast((each) => each.to === to && each.text.includes(`/${page}#`));
    const token = new RegExp(`/${page}#([\\w-]{43})`).exec(mail?.text ?? '')?.[1];
    return this.made(what, token, { mails: [mail?.subject ?? ''] });
  }
}

async function addOwner() {
  const { id, email } = await addPerson(ctx, { passwordHash });
  await addMember(ctx, { accountId: await addAccount(ctx), personId: id, role: 'owner' });
  return { email };
}

const signIn = 'POST session';
const finishSignIn = 'POST session/second-factor';

/** Signs in with a second factor after the password. */
async function finish(walk: Walk, email: string, given: object): Promise<string> {
  const body = { email, password };
  const pending = dataOf(await walk.call(signIn, { body, status: 202 }))['pending_token'];
  const token = walk.made('the token of a sign-in that waits', pending, { responses: [signIn] });
  const response = await walk.call(finishSignIn, { body: { pending_token: token, ...given } });
  return walk.made('a session', dataOf(response)['session_token'], { responses: [finishSignIn] });
}

/** An app, recovery codes and a passkey, each used for signing in and as proof. */
async function useFactors(walk: Walk): Promise<void> {
  const { email } = await addOwner();
  const response = await walk.call(signIn, { body: { email, password } });
  let session = String(dataOf(response)['session_token']);
  const start = 'POST second-factors/app';
  const app = dataOf(await walk.call(start, { session }));
  const key = walk.made('the key of an app', app['key'], { responses: [start] });
  walk.made('the address of an app', app['uri'], { responses: [start] });
  const nextCode = () => {
    ctx.clock.advance(30_000);
    return walk.made('a code', codeOf(key, ctx.clock.now()));
  };
  const confirm = 'POST second-factors/app/confirm';
  const codes = dataOf(await walk.call(confirm, { session, body: { code: nextCode() } }));
  const [first, ...others] = codes['recovery_codes'] as string[];
  for (const code of [first, ...others]) {
    walk.made('a recovery code', code, { responses: [confirm] });
  }
  session = await finish(walk, email, { code: nextCode() });
  session = await finish(walk, email, { recovery_code: first });
  await walk.call('POST session/proof', { session, body: { password, code: nextCode() } });

  session = await finish(walk, email, { code: nextCode() });
  const options = 'POST second-factors/passkeys/options';
  const creation = dataOf(await walk.call(options, { session }));
  walk.made('a challenge', creation['challenge'], { responses: [options] });
  const { origin } = ctx.config.publicUrl;
  const authenticator = new SoftwareAuthenticator();
  const passkey = authenticator.create({ options: creation, origin });
  await walk.call('POST second-factors/passkeys', { session, body: { name: 'Laptop', passkey } });
  const proof = 'POST session/proof/passkey-options';
  const use = dataOf(await walk.call(proof, { session }));
  walk.made('a challenge', use['challenge'], { responses: [proof] });
  const signed = authenticator.get({ options: use, origin });
  session = String(
    dataOf(await walk.call('POST session/proof', { session, body: { passkey: signed } }))[
      'session_token'
    ],
  );

  const renew = 'POST second-factors/recovery-codes';
  const renewed = dataOf(await walk.call(renew, { session }));
  for (const code of renewed['recovery_codes'] as string[]) {
    walk.made('a new recovery code', code, { responses: [renew] });
  }
  for (const read of ['second-factors', 'session', 'sessions', 'members', 'v1/audit-log']) {
    await walk.call(`GET ${read}`, { session, status: 200 });
  }
}

/** Invitations whose links are emailed and copied, renewed and accepted. */
async function invite(walk: Walk): Promise<void> {
  const { email: owner } = await addOwner();
  const { session_token: token } = dataOf(
    await walk.call(signIn, { body: { email: owner, password } }),
  );
  const session = String(token);
  const create = 'POST invitations';
  const email = `${crypto.randomUUID()}@example.com`;
  const { uuid } = dataOf(await walk.call(create, { session, body: { email, role: 'admin' } }));
  walk.mailed('an invitation that is void', { to: email, page: 'invitation' });
  await walk.call(`POST invitations/${String(uuid)}/renew`, { session });
  const mailed = walk.mailed('an invitation', { to: email, page: 'invitation' });
  await walk.call('POST invitations/check', { body: { invitation_token: mailed }, status: 200 });
  const someone = { invitation_token: mailed, name: 'Mika Sato', password: chosen };
  await walk.call('POST invitations/accept', { body: someone });

  const copied = { email: `${crypto.randomUUID()}@example.com`, role: 'viewer' };
  const made = dataOf(await walk.call(create, { session, body: copied, isMailed: false }));
  const link = walk.made('a link to copy', made['link'], { responses: [create] });
  const bare = walk.made('its token', link.split('#')[1], { responses: [create] });
  const other = { invitation_token: bare, name: 'Kim', password: chosen };
  await walk.call('POST invitations/accept', { body: other });
  for (const read of ['invitations', 'members', 'v1/audit-log']) {
    await walk.call(`GET ${read}`, { session, status: 200 });
  }
}

/** A forgotten password, and an email that is changed and changed back. */
async function recover(walk: Walk): Promise<void> {
  const { email } = await addOwner();
  await walk.call('POST password-reset', { body: { email }, status: 202 });
  const reset = walk.mailed('a link to choose a password', { to: email, page: 'reset-password' });
  await walk.call('POST password-reset/check', { body: { reset_token: reset }, status: 200 });
  const finished = { reset_token: reset, new_password: chosen };
  await walk.call('POST password-reset/finish', { body: finished, status: 200 });

  const response = await walk.call(signIn, { body: { email, password: chosen } });
  const session = String(dataOf(response)['session_token']);
  const newEmail = `${crypto.randomUUID()}@example.com`;
  await walk.call('POST email-change', { session, body: { email: newEmail } });
  const confirm = walk.mailed('a link that confirms', { to: newEmail, page: 'confirm-email' });
  const revoke = walk.mailed('a link that revokes', { to: email, page: 'revoke-email-change' });
  const confirmation = { body: { confirm_token: confirm }, status: 200 };
  await walk.call('POST email-change/confirmation/check', confirmation);
  await walk.call('POST email-change/confirmation', confirmation);
  await walk.call('GET v1/audit-log', { session, status: 200 });
  const revocation = { body: { revoke_token: revoke }, status: 200 };
  await walk.call('POST email-change/revocation/check', revocation);
  const take = 'POST email-change/revocation';
  const taken = dataOf(await walk.call(take, revocation));
  walk.made('what chooses a password after that', taken['reset_token'], { responses: [take] });
}

test('each secret of a person is only in the response or email that it was made for, and in no log line or row', async () => {
  const walk = new Walk();
  await useFactors(walk);
  await invite(walk);
  await recover(walk);
  for (const secret of [password, chosen]) {
    walk.secrets.push({ what: 'a password', value: secret, responses: [], mails: [] });
  }

  const logged = JSON.stringify(ctx.logged);
  expect(logged).toContain('"msg":"request"');
  const rows = await everyRow();
  for (const { what, value, responses, mails } of walk.secrets) {
    const carriers = walk.responses.filter(({ text }) => holds(text, value)).map(({ act }) => act);
    expect(carriers, `responses with ${what}`).toEqual(responses);
    const mailed = ctx.mails.filter(({ subject, text, html }) =>
      holds(subject + text + html, value),
    );
    expect(
      mailed.map(({ subject }) => subject),
      `mails with ${what}`,
    ).toEqual(mails);
    expect(holds(logged, value), `${what} in the log`).toBe(false);
    expect(
      rows.filter(({ row }) => holds(row, value) || row.includes(hexOf(value))),
      `rows with ${what}`,
    ).toEqual([]);
  }
});

/** A code is too short to search for by itself, because it may be part of a number. */
function holds(text: string, secret: string): boolean {
  return text.includes(/^\d{6}$/.test(secret) ? `"${secret}"` : secret);
}

function hexOf(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

/** Every row of every table, as text; bytes in hex. */
async function everyRow(): Promise<{ table: string; row: string }[]> {
  const { rows: tables } = await ctx.db.execute<{ table: string }>(
    sql`select table_name as table from information_schema.tables where table_schema = 'public'`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const found: { table: string; row: string }[] = [];
  for (const { table } of tables) {
    const { rows } = await ctx.db.execute<{ row: string }>(
      sql`select row_to_json(t)::text as row from ${sql.identifier(table)} t`,
    );
    found.push(...rows.map(({ row }) => ({ table, row })));
  }
  return found;
}
