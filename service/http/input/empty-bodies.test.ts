import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { rightRequests } from '../../testing/generated-requests/generated-requests.ts';
import type { GeneratedRequest } from '../../testing/generated-requests/generated-requests.ts';
import { openWorldUnderTest } from '../../testing/generated-requests/world-under-test.ts';
import type { WorldUnderTest } from '../../testing/generated-requests/world-under-test.ts';

/** All operations that a client can call with nothing but the path. */
const routes = [...publicRoutes, ...dashboardRoutes].filter(
  ({ method, body }) => method !== 'GET' && (!body || body.safeParse({}).success),
);

let world: WorldUnderTest;
beforeAll(async () => {
  world = await openWorldUnderTest('pglite');
});
afterAll(async () => {
  await world.close();
});

/** Bodies without content, each with a content type. */
const emptyBodies: [what: string, body: string, type: string][] = [
  ['[], as PHP writes an empty array,', '[]', 'application/json'],
  ['null, as axios sends it,', 'null', 'application/json'],
  ['[] of a form', '[]', 'application/x-www-form-urlencoded'],
  ['null of no type', 'null', ''],
  ['a space', ' ', 'application/json'],
  ['white space of text', '\r\n\t ', 'text/plain'],
  ['{} of a form', '{}', 'application/x-www-form-urlencoded'],
  ['an empty array with white space around and within', '\n[ ]\n', 'application/json'],
  ['an empty object with white space around and within', ' {\n} ', 'text/plain'],
  ['nothing', '', 'application/x-www-form-urlencoded'],
];

describe('an operation with an optional body treats as no body', () => {
  // These operations can be done once, so testing each body with all of them needs many accounts.
  test.each(emptyBodies.slice(0, 1))('%s', async (_what, body, type) => {
    await world.enterNewAccount();
    // The keys of these accounts may not rotate themselves.
    const allowed = routes.filter(({ name }) => name !== 'rotateCallingApiKey');
    for (const request of rightRequests(allowed, new Map())) await expectTaken(request, body, type);
  });

  test('every form of an empty body that clients send', async () => {
    // One operation that reads a body, and one that does not.
    const names = ['rotateApiKey', 'endOtherSessions'];
    const repeatable = routes.filter(({ name }) => names.includes(name));
    expect(repeatable).toHaveLength(2);
    await world.enterNewAccount();
    for (const [, body, type] of emptyBodies) {
      for (const request of rightRequests(repeatable, new Map())) {
        await expectTaken(request, body, type);
      }
    }
  });

  async function expectTaken(request: GeneratedRequest, body: string, type: string) {
    const { result } = await world.ask({ ...request, headers: { 'Content-Type': type }, body });
    expect(`${request.route} ${result.status}`).toMatch(/ 20[0-4]$/);
  }
});

describe('an operation with an optional body refuses', () => {
  test.each([
    ['an array with something in it', '[1]', 422],
    ['an array that does not end', '[', 422],
    ['two empty arrays', '[][]', 422],
    ['false', 'false', 422],
    ['an empty text', '""', 422],
    ['a field that does not exist', '{"no_such_field":true}', 422],
    ['a form', 'grace_period_seconds=0', 415],
  ])('%s', async (_what, body, status) => {
    const readsBody = routes.filter((route) => route.body !== undefined);
    expect(readsBody.length).toBeGreaterThanOrEqual(8);
    for (const request of rightRequests(readsBody, new Map())) {
      const type = status === 415 ? 'application/x-www-form-urlencoded' : 'application/json';
      const { result } = await world.ask({ ...request, headers: { 'Content-Type': type }, body });
      expect(`${request.route} ${result.status}`).toBe(`${request.route} ${status}`);
    }
  });
});

test('an operation that needs a body accepts none of these', async () => {
  const needBody = publicRoutes.filter(({ body }) => body && !body.safeParse({}).success);
  for (const body of ['[]', 'null', '{}', ' ', '']) {
    for (const request of rightRequests(needBody, new Map())) {
      const { result } = await world.ask({ ...request, body });
      expect(`${request.route} ${result.status}`).toBe(`${request.route} 422`);
    }
  }
});
