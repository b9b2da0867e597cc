import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import { askForEverybody, openRightsWorld } from '../../../testing/rights/rights-world.ts';
import type { RightsWorld } from '../../../testing/rights/rights-world.ts';
import { rightsTable } from '../../../testing/rights/rights-table.ts';

const routes = [...publicRoutes, ...dashboardRoutes];

let world: RightsWorld;

beforeAll(async () => {
  world = await openRightsWorld();
});
afterAll(() => world.ctx.dispose());

test('every route has its row in the table of rights', () => {
  const named = new Set(rightsTable.map(({ route }) => route));
  expect(named).toEqual(new Set(routes.map(({ name }) => name)));
});

describe('a route acts for those who may, and refuses everybody else', () => {
  test.each(rightsTable.map((right) => [right.name, right] as const))('%s', async (_, right) => {
    const route = routes.find(({ name }) => name === right.route);
    if (!route) throw new Error(`there is no route ${right.route}`);
    const outcomes = await askForEverybody(world, {
      right,
      isReading: route.method === 'GET',
      async ask(asker, { params = {}, query, body }) {
        const path = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
          String(params[name]),
        );
        const address = query ? `${path}?${new URLSearchParams(query)}` : path;
        return outcomeOf((await world.things.ask(asker, [route.method, address, body])).status);
      },
    });
    expect(outcomes).toEqual(right.outcomes);
  });
});

function outcomeOf(status: number): string | number {
  return status < 300 ? 'done' : status;
}
