import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RouteDefinition } from '#lib/contract/route.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { invitations } from '../../db/schema/people/members.ts';
import type { ApiResponse } from '../api.ts';
import { oddParts } from '../http/odd-requests.ts';
import { ApiListener } from '../http/api-listener.ts';
import type { WireRequest } from '../http/api-listener.ts';
import type { Asker } from '../rights/askers.ts';
import { isKnownError } from '../rights/documented.ts';
import { rightsTable } from '../rights/rights-table.ts';
import type { Input, Right } from '../rights/rights-table.ts';
import { addressOf, openRightsWorld, routeOf, whoMay } from '../rights/rights-world.ts';
import type { RightsWorld } from '../rights/rights-world.ts';

const seed = Number(process.env['TEST_SEED'] ?? 20_261_120);

/** Requests over TCP that no client should send, to every operation: each is odd in one part. */
export function describeRobustness(engine: OpenDatabase['engine'], ofEach: number): void {
  let world: RightsWorld;
  const listener = new ApiListener();
  const statuses = new Set<number>();
  beforeAll(async () => {
    world = await openRightsWorld(engine);
    await listener.serve(world.ctx, world.api);
  });
  afterAll(async () => {
    await listener.close();
    await world.ctx.dispose();
  });

  test.each(rightsTable.map((right) => [right.name, right] as const))(
    '%s responds to odd requests as documented, never with a 5xx',
    async (_, right) => {
      const asker = whoMay(world, right);
      if (!asker) return;
      const odd: string[] = [];
      for (let sent = 0; sent < ofEach; sent += 1) {
        const wire = await oddRequest(
          right,
          asker,
          seed + rightsTable.indexOf(right) * ofEach + sent,
        );
        const response = await listener.ask(wire);
        statuses.add(response.status);
        const problem = findProblem(wire, response);
        if (problem !== null) odd.push(`${problem}: ${describeRequest(wire)}`);
      }
      if (routeOf(right).method !== 'GET') await world.askers.restore();
      // An account can have a hundred.
      await world.ctx.db.delete(invitations);
      const logged = world.ctx.forgetRecords().map((entry) => JSON.stringify(entry).slice(0, 2000));
      expect([...odd, ...logged]).toEqual([]);
    },
  );

  test('these requests got responses of each kind', () => {
    const kinds = [200, 201, 204, 404, 405, 413, 415, 422];
    expect(kinds.filter((status) => !statuses.has(status))).toEqual([]);
  });

  async function oddRequest(right: Right, asker: Asker, of: number): Promise<WireRequest> {
    const route = routeOf(right);
    const input = await right.makeInput(world.things, asker);
    const [part] = fc.sample(oddParts(route, input.body), { numRuns: 1, seed: of });
    return {
      method: route.method,
      path: addressOf(route, input),
      body: route.method === 'GET' ? null : JSON.stringify(input.body ?? {}),
      ...inPlaceOf(route, input, part ?? {}),
      headers: {
        'Content-Type': 'application/json',
        'X-Dashboard-Account': asker.accountId,
        ...(asker.session !== null && { 'X-Dashboard-Session': asker.session }),
        ...(asker.token !== null && { Authorization: `Bearer ${input.token ?? asker.token}` }),
        ...(part && 'headers' in part && part.headers),
      },
    };
  }
}

function inPlaceOf(route: RouteDefinition, input: Input, part: object): Partial<WireRequest> {
  if ('reference' in part) {
    const names = Object.keys(input.params ?? {});
    const params = Object.fromEntries(names.map((name) => [name, String(part.reference)]));
    return { path: addressOf(route, { ...input, params }) };
  }
  if ('query' in part) return { path: `${addressOf(route, input)}?${String(part.query)}` };
  return part;
}

function findProblem({ method }: WireRequest, response: ApiResponse): string | null {
  const { status, text, headers } = response;
  const isRefused = status >= 400 && method !== 'HEAD';
  if (status >= 500 || (isRefused && !isKnownError(response))) return `got ${status} ${text}`;
  if (isRefused && /at .*\.ts:\d|node_modules|select .* from|postgres/i.test(text)) {
    return `shows its insides: ${text}`;
  }
  return headers.has('X-Request-Id') ? null : 'has no request id';
}

function describeRequest({ body, ...request }: WireRequest): string {
  const start =
    typeof body === 'string' ? body : Buffer.from(body ?? '').toString('latin1', 0, 200);
  return `${JSON.stringify(request).slice(0, 600)} with ${start.slice(0, 200)}`;
}
