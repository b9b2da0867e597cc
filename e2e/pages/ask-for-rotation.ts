import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie } from '@playwright/test';
import type { Service } from '../helpers/fixture-types.ts';
import { readData } from '../helpers/read-data.ts';
import { asDashboard } from './people/identity.ts';

/** Requests a rotation from the account's owner, as the member with these cookies. */
export async function askOwnerForRotation(
  request: APIRequestContext,
  { service, asker, uuid }: { service: Service; asker: readonly Cookie[]; uuid: string },
): Promise<void> {
  const headers = asDashboard(service, asker);
  const path = `/api/dashboard/api-keys/${uuid}`;
  const response = await request.get(`${path}/rotators`, { headers });
  const data = await readData<{ id: string; name: string }[]>(response);
  const member = data.find(({ name }) => service.owner.email.startsWith(`${name}@`))?.id;
  const made = await request.post(`${path}/rotation-requests`, {
    headers,
    data: { member, reason: 'lost' },
  });
  expect(made.status()).toBe(201);
}
