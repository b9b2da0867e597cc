import type { Call, Installation } from '../installation.ts';
import { people } from './marlow-and-finch.ts';
import type { Company, Made } from './marlow-and-finch.ts';

type Customer = { id: string; owner: string; call: Call };
type Asked = { time: string; customer: { id: string }; uuid: string; member: string };

/** Priya, of installation support, had rotations requested in several accounts. */
export async function fillSupportDesk(installation: Installation, company: Company): Promise<void> {
  const { person, program, setClock, worker } = installation;
  await setClock('11-03 08:00');
  await worker.control.addManyAccounts({ count: 216, marker: '' });
  const brightwater = await addCustomer(installation, 'Brightwater Energy', 'Oskar Lind');
  const halden = await addCustomer(installation, 'Halden Logistics', 'Ingrid Halden');
  const kestrel = await addCustomer(installation, 'Kestrel Travel', 'Dario Conti');
  const fjord = await addCustomer(installation, 'Fjord & Pine', 'Maja Dahl');
  const use = async ({ token }: Made) =>
    await program(token, '192.0.2.90')('GET', '/api/v1/api-key');

  const legacy = await createKey(fjord, 'Legacy sync');
  const mobile = await createKey(kestrel, 'Mobile backend');
  const old = await createKey(kestrel, 'Old monitor');
  const exporting = await createKey(brightwater, 'Export job');
  const status = await createKey(brightwater, 'Status monitor', ['webhooks:read']);
  const fleet = await createKey(halden, 'Fleet monitor');
  for (const key of [legacy, mobile, old, exporting, status, fleet]) await use(key);
  await setClock('11-05 10:30');
  const dario = await person(kestrel.owner, kestrel.id);
  await dario('DELETE', `/api/v1/api-keys/${old.uuid}`);

  await ask(installation, {
    time: '11-11 07:21',
    customer: fjord,
    uuid: legacy.uuid,
    member: 'Maja Dahl',
    reason: 'scheduled',
  });
  const declined = await ask(installation, {
    time: '11-19 07:21',
    customer: kestrel,
    uuid: mobile.uuid,
    member: 'Dario Conti',
    reason: 'left',
  });
  await setClock('11-19 10:21');
  await (
    await person(kestrel.owner, kestrel.id)
  )('POST', `/api/dashboard/rotation-requests/${declined}/decline`, {
    reason: 'later',
    message: 'We will rotate it on Monday, with the release.',
  });
  const done = await ask(installation, {
    time: '11-20 07:21',
    customer: brightwater,
    uuid: exporting.uuid,
    member: 'Oskar Lind',
    reason: 'lost',
  });
  await setClock('11-20 09:21');
  const oskar = await person(brightwater.owner, brightwater.id);
  await use(
    await oskar<Made>('POST', `/api/dashboard/rotation-requests/${done}/rotate`, {
      grace_period_seconds: 0,
    }),
  );

  await setClock('11-24 05:21');
  await use(status);
  const again = await person(brightwater.owner, brightwater.id);
  await use(
    await again<Made>('POST', `/api/v1/api-keys/${status.uuid}/rotate`, {
      grace_period_seconds: 86_400,
    }),
  );
  await ask(installation, {
    time: '11-24 09:52',
    customer: company,
    uuid: company.keys.backend.uuid,
    member: 'Nora Finch',
    reason: 'leaked',
    note: 'The first 12 characters of this token appear in a log that a customer attached to ticket 4812. I cannot tell whether the rest was visible.',
  });
  await setClock('11-24 10:12');
  await use(fleet);
}

async function addCustomer(
  { person, worker }: Installation,
  name: string,
  ownerName: string,
): Promise<Customer> {
  const [first, last] = ownerName.toLowerCase().split(' ');
  const owner = `${first}.${last}@${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
  const { control, password } = worker;
  const id = await control.addAccount({ name, email: owner, password });
  const call = await person(owner, id);
  await call('PATCH', '/api/dashboard/person', { name: ownerName });
  return { id, owner, call };
}

async function createKey(
  { call }: Customer,
  name: string,
  scopes?: readonly string[],
): Promise<Made> {
  const type = scopes === undefined ? 'full' : 'limited';
  return await call<Made>('POST', '/api/v1/api-keys', { name, type, ...(scopes && { scopes }) });
}

/** Requests a rotation, as Priya, who says first why she opens the account. */
async function ask(
  { person, setClock }: Installation,
  { time, customer, uuid, member, ...input }: Asked & { reason: string; note?: string },
): Promise<string> {
  await setClock(time);
  const priya = await person(people.priya, customer.id);
  await priya('POST', '/api/dashboard/support-visits', {
    reason: 'Ticket 4812: calls get a 401',
  });
  const rotators = await priya<{ id: string; name: string }[]>(
    'GET',
    `/api/dashboard/api-keys/${uuid}/rotators`,
  );
  const { uuid: request } = await priya<{ uuid: string }>(
    'POST',
    `/api/dashboard/api-keys/${uuid}/rotation-requests`,
    { member: rotators.find(({ name }) => name === member)?.id, ...input },
  );
  return request;
}
