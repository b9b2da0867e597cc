import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { auditEntries } from '../../../db/schema/audit.ts';
import { dataOf } from '../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { addSessionsById } from '../../../testing/sessions.ts';
import { useApi } from '../../../testing/use-api.ts';

const all = { api_keys: true, webhooks: true, rotation_requests: true, new_members: true };

const { ctx, api } = useApi();
/** A person who belongs to two accounts. */
let personId: string;

beforeEach(async () => {
  ({ id: personId } = await addPerson(ctx));
  await addSessionsById(ctx, [personId]);
  for (const name of ['Marlow & Finch', 'Elsewhere']) {
    const accountId = await addAccount(ctx, name);
    await addMember(ctx, { accountId, personId, role: 'viewer' });
  }
});

const path = '/api/dashboard/mail-preferences';
const change = async (body: unknown) => await api.as({ personId }).patch(path, body);
const shown = async (id = personId) => dataOf<unknown>(await api.as({ personId: id }).get(path));

const audited = async () =>
  await ctx.db
    .select({ changes: auditEntries.changes })
    .from(auditEntries)
    .where(eq(auditEntries.action, 'person.mail_preferences_changed'))
    .orderBy(auditEntries.id);

test('a person gets every email until they turn some off, which stays so', async () => {
  expect(await shown()).toEqual(all);
  const response = await change({ webhooks: false });
  expect(response).toMatchObject({ status: 200, body: { data: { ...all, webhooks: false } } });
  await change({ new_members: false });
  expect(await shown()).toEqual({ ...all, webhooks: false, new_members: false });
  await change({ webhooks: true, new_members: true });
  expect(await shown()).toEqual(all);
});

test('emails that one person turns off stay on for others', async () => {
  const other = await addPerson(ctx);
  await addMember(ctx, { accountId: await addAccount(ctx), personId: other.id, role: 'owner' });
  await change({ webhooks: false });
  expect(await shown(other.id)).toEqual(all);
});

test('turning emails off and on is audited in each account of the person, and only real changes are', async () => {
  const before = (await audited()).length;
  await change({ api_keys: true });
  expect(await audited()).toHaveLength(before);
  await change({ api_keys: false, webhooks: true });
  const entries = (await audited()).slice(before);
  expect(entries).toEqual([{ changes: { api_keys: false } }, { changes: { api_keys: false } }]);
});

test('two switches that are changed at the same time both take effect', async () => {
  await Promise.all([change({ api_keys: false }), change({ webhooks: false })]);
  expect(await shown()).toEqual({ ...all, api_keys: false, webhooks: false });
});

test('a change of nothing is refused', async () => {
  expect((await change({})).status).toBe(422);
});
