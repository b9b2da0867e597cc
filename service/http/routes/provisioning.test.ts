import { eq, inArray } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { people } from '../../db/schema/people/people.ts';
import { provisioners } from '../../db/schema/people/provisioners.ts';
import { eraseDeletedAccounts } from '../../domain/erasure/erase-deleted-accounts.ts';
import { maxProvisionedAccounts } from '../../domain/people/provisioning/provision-account.ts';
import {
  createProvisionerAsOperator,
  listProvisionersAsOperator,
  removeProvisionerAsOperator,
} from '../../domain/people/provisioning/provisioners.ts';
import { dataOf, detailsOf, type ApiResponse } from '../../testing/api.ts';
import { addAccount } from '../../testing/records/people.ts';
import { signInWithPassword } from '../../testing/sign-in.ts';
import { useApi } from '../../testing/use-api.ts';

const path = '/api/provisioning/accounts';
const password = 'a staple that nobody knows';

const { ctx, api } = useApi();

let name: string;
let token: string;
beforeEach(async () => {
  name = `Suite ${crypto.randomUUID()}`;
  token = (await createProvisionerAsOperator(ctx, { name, days: 30 }))?.token ?? '';
});

function person(role: 'owner' | 'viewer', email = `${role}@${crypto.randomUUID()}.test`) {
  return { name: 'Ann', email, role };
}

async function provision(members = [person('owner')], by = token): Promise<ApiResponse> {
  return await api.as(by).post(path, { name: 'Suite', password, people: members });
}

test('an account has its people, who can sign in, a full key, and entries that name the provisioner', async () => {
  const members = [person('viewer'), person('owner')];
  const response = await provision(members);
  expect(response.status).toBe(201);
  const account = dataOf(response);
  expect(account).toMatchObject({
    name: 'Suite',
    people: members.map(({ email, role }) => ({ email, role, id: expect.any(String) })),
  });
  const key = api.as(String(account['token']));
  expect((await key.get('/api/v1/api-key')).status).toBe(200);
  const { body } = await key.get('/api/v1/audit-log');
  expect(body).toMatchObject({
    data: [
      {
        action: 'member.added',
        actor: { name: `Provisioner ${name}` },
        changes: { role: 'viewer' },
      },
      { action: 'account.created', actor: { name: `Provisioner ${name}` } },
    ],
  });
  const signedIn = account['people'] as { session_token: string }[];
  for (const { session_token: session } of signedIn) {
    expect(await ctx.auth.session(session)).not.toBeNull();
  }
  for (const { email } of members) {
    const given = { email, password, ip: '203.0.113.7', userAgent: null };
    expect(await signInWithPassword(ctx.auth, given)).toHaveProperty('sessionToken');
  }
});

test('only addresses of the domain test are accepted, that nobody has', async () => {
  const real = await provision([person('owner', 'ann@example.com')]);
  expect(detailsOf(real)).toEqual({
    people: [expect.stringContaining('the reserved domain test')],
  });
  const owner = person('owner');
  await provision([owner]);
  const before = await ctx.db.$count(accounts);
  expect(detailsOf(await provision([person('owner'), { ...owner, role: 'viewer' }]))).toEqual({
    email: [expect.stringContaining('belongs to another person')],
  });
  expect(await ctx.db.$count(accounts)).toBe(before);
  expect(detailsOf(await provision([person('viewer')]))).toEqual({
    people: ['Give at least one owner.'],
  });
});

test('a provisioner deletes its own accounts only, whose keys stop and whose people are erased', async () => {
  const [made, members] = [await provision(), await ctx.db.$count(people)];
  const { id, token: key } = dataOf(made);
  const theirs = await addAccount(ctx);
  const other = (await createProvisionerAsOperator(ctx, { name: `${name} 2`, days: 1 }))?.token;
  const del = async (account: unknown, by: string) =>
    (await api.as(by).delete(`${path}/${String(account)}`)).status;
  expect([await del(theirs, token), await del(id, other ?? ''), await del('x', token)]).toEqual([
    404, 404, 404,
  ]);
  expect([await del(id, token), await del(id, token)]).toEqual([204, 404]);
  expect((await api.as(String(key)).get('/api/v1/api-key')).status).toBe(401);
  await eraseDeletedAccounts(ctx, async () => true);
  expect(await ctx.db.$count(accounts, eq(accounts.id, String(id)))).toBe(0);
  expect(await ctx.db.$count(people)).toBe(members - 1);
});

test('an account that its owner deleted still belongs to the provisioner, while it can be restored', async () => {
  const deleteAsOwner = async (id: string) => {
    await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() }).where(eq(accounts.id, id));
    return id;
  };
  const [first, second] = [await provision(), await provision()].map(
    (made) => dataOf<{ id: string }>(made).id,
  );
  await deleteAsOwner(first ?? '');
  expect((await listProvisionersAsOperator(ctx)).find((one) => one.name === name)?.accounts).toBe(
    2,
  );
  expect((await api.as(token).delete(`${path}/${first}`)).status).toBe(204);
  await deleteAsOwner(second ?? '');
  expect(await removeProvisionerAsOperator(ctx, name)).toEqual({ deletedAccounts: 1 });
  await eraseDeletedAccounts(ctx, async () => true);
  expect(await ctx.db.$count(accounts, inArray(accounts.id, [first ?? '', second ?? '']))).toBe(0);
});

test('a provisioner can have so many accounts at a time', async () => {
  const [row] = await ctx.db.select().from(provisioners).where(eq(provisioners.name, name));
  const provisionerId = row?.id ?? '';
  const rows = Array.from({ length: maxProvisionedAccounts }, () => ({
    name: 'Full',
    provisionerId,
    createdAt: ctx.clock.now(),
  }));
  const [first] = await ctx.db.insert(accounts).values(rows).returning({ id: accounts.id });
  expect(detailsOf(await provision())).toEqual({
    name: [expect.stringContaining(`has ${maxProvisionedAccounts} accounts`)],
  });
  await api.as(token).delete(`${path}/${first?.id}`);
  expect((await provision()).status).toBe(201);
});

test('its token ends when it expires, and when an operator removes it, with its accounts', async () => {
  const { token: key } = dataOf(await provision());
  expect(await removeProvisionerAsOperator(ctx, name)).toEqual({ deletedAccounts: 1 });
  expect(await removeProvisionerAsOperator(ctx, name)).toBeNull();
  expect((await provision()).status).toBe(401);
  expect((await api.as(String(key)).get('/api/v1/api-key')).status).toBe(401);

  const short = (await createProvisionerAsOperator(ctx, { name, days: 1 }))?.token ?? '';
  ctx.clock.advance(dayMs - hourMs);
  expect((await provision(undefined, short)).status).toBe(201);
  ctx.clock.advance(hourMs);
  expect((await provision(undefined, short)).status).toBe(401);
});

test('only the digest of its token is stored', async () => {
  const rows = await ctx.db.select().from(provisioners);
  expect(JSON.stringify(rows)).not.toContain(token);
});
