import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { credentials } from '../../../db/schema/people/credentials.ts';
import { people } from '../../../db/schema/people/people.ts';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { addPerson } from '../../../domain/people/add-person.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addAccount } from '../../../testing/records/people.ts';
import { password, TestPerson } from '../../../testing/http/test-person.ts';
import { useApi } from '../../../testing/use-api.ts';

/** Concurrent changes of emails and passwords, on a server that runs transactions concurrently. */
const chosen = 'a staple that nobody knows';
const rounds = 10;

const { ctx, api } = useApi({
  engine: 'postgresql',
  config: { rateLimitPerMinute: 100_000, smtpUrl: 'smtp://mail.example.com' },
});
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});
beforeEach(() => {
  ctx.forgetRecords();
});

async function post(path: string, body: unknown, session?: string): Promise<ApiResponse> {
  const person = session === undefined ? api.asNobody() : api.as({ personId: session });
  return await person.post(`/api/dashboard/${path}`, body);
}

async function addSignedIn(): Promise<TestPerson> {
  return await TestPerson.signedIn(ctx, { accountId: await addAccount(ctx), role: 'owner' });
}

/** The token of the newest link to a page that was emailed to an address. */
function mailedToken(address: string, page: string): string {
  const tokens = ctx.mails
    .filter(({ to }) => to === address)
    .flatMap(({ text }) => new RegExp(`/${page}#([\\w-]{43})`).exec(text)?.[1] ?? []);
  return tokens.at(-1) ?? '';
}

async function ask({ email, session }: TestPerson, wanted: string) {
  expect((await post('email-change', { email: wanted }, session)).status).toBe(201);
  return {
    confirm: { confirm_token: mailedToken(wanted, 'confirm-email') },
    revoke: { revoke_token: mailedToken(email, 'revoke-email-change') },
  };
}

const newAddress = () => `${crypto.randomUUID()}@example.com`;

test('of three people who claim one address at the same time, one gets it, and the others are told so', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const email = newAddress();
    const one = await ask(await addSignedIn(), email);
    const other = await ask(await addSignedIn(), email);
    const made = { id: crypto.randomUUID(), name: 'Mika', email, passwordHash };
    const [first, second, third] = await Promise.all([
      post('email-change/confirmation', one.confirm),
      post('email-change/confirmation', other.confirm),
      ctx.db
        .transaction((tx) => addPerson(tx, { ...made, now: ctx.clock.now() }))
        .then(() => 200)
        .catch((error: { code: string }) => error.code),
    ]);
    const outcomes = [first.status, second.status, third === 'VALIDATION_ERROR' ? 422 : third];
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 422)).toHaveLength(2);
    expect(await ctx.db.$count(people, eq(people.email, email))).toBe(1);
  }
});

test('whatever a thief does while the change is undone, nothing of it remains', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const person = await addSignedIn();
    const email = newAddress();
    const links = await ask(person, email);
    const isDone = round % 2 === 0;
    if (isDone) await post('email-change/confirmation', links.confirm);
    await post('password-reset', { email });
    const reset = mailedToken(email, 'reset-password');
    const [revoked, ...others] = await Promise.all([
      post('email-change/revocation', links.revoke),
      post('email-change/confirmation', links.confirm),
      post('password', { current_password: password, new_password: chosen }, person.session),
      post('password-reset/finish', { reset_token: reset, new_password: chosen }),
      post('session', { email: isDone ? email : person.email, password }),
    ]);
    expect(revoked.status).toBe(200);
    // Either done before the revocation, or refused after it: 401 to a session that has ended, 422
    // otherwise.
    for (const { status } of others) expect([200, 201, 401, 422]).toContain(status);
    const [left] = await ctx.db.select().from(people).where(eq(people.id, person.id));
    expect(left?.email).toBe(person.email);
    expect(await ctx.db.$count(credentials, eq(credentials.personId, person.id))).toBe(0);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, person.id))).toBe(0);
  }
});

test('of 20 concurrent uses of one link to choose a password, one succeeds', async () => {
  const { email } = await addSignedIn();
  await post('password-reset', { email });
  const token = mailedToken(email, 'reset-password');
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      post('password-reset/finish', { reset_token: token, new_password: `${chosen} ${index}` }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(19);
});
