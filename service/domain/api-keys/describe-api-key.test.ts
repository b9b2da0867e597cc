import { expect, test } from 'vitest';
import { logStatements } from '../../testing/databases/log-statements.ts';
import { useApi } from '../../testing/use-api.ts';
import { createApiKey } from './create-api-key.ts';
import { getApiKey, listApiKeys } from './read-api-keys.ts';
import { rotateApiKey } from './rotation/rotate-api-key.ts';

const { ctx, owner } = useApi();

test('reported leaks are read only where a rotation can be undone', async () => {
  const statements: string[] = [];
  const logged = { ...ctx, db: logStatements(ctx.database, statements) };
  const asksForLeaks = () =>
    statements.splice(0).some((text) => text.includes('rotation_requests'));
  const { apiKey } = await createApiKey(ctx, owner, { name: 'Server', type: 'full' });

  await getApiKey(logged, owner, { apiKey: apiKey.uuid });
  expect(statements).not.toEqual([]);
  expect(asksForLeaks()).toBe(false);
  await listApiKeys(logged, owner);
  expect(asksForLeaks()).toBe(false);

  await rotateApiKey(ctx, owner, { apiKey: apiKey.uuid });
  await listApiKeys(logged, owner);
  expect(asksForLeaks()).toBe(true);
});
