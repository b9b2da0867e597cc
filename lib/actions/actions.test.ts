import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDashboardRoute } from '../contract/route.ts';
import type { RouteDefinition } from '../contract/route.ts';
import { allRoutes, findChange } from '../contract/routes.ts';

const root = new URL('../../', import.meta.url);

/** What the files of server actions export, line by line. */
const exported = ['app', 'components', 'lib']
  .flatMap((folder) => filesIn(new URL(`${folder}/`, root)))
  .map((file) => readFileSync(file, 'utf8'))
  .filter((source) => /^\s*['"]use server['"]/m.test(source))
  .flatMap((source) => source.match(/^export\b.*$/gm) ?? []);

/** What Next calls for it renders a page, which signing out must not: it is a DELETE of its own. */
const withoutAction = ['signOut'];

test('a server action is one exported line that names its route', () => {
  expect(exported.length).toBeGreaterThan(0);
  const others = exported.filter(
    (line) => !/^export const (\w+) = action\(routes\.\1(\);|, \{)/.test(line),
  );
  expect(others).toEqual([]);
});

test('there is one server action for every change that the dashboard may make, and none for anything else', () => {
  const actions = exported.map((line) => /^export const (\w+)/.exec(line)?.[1] ?? line);
  const changes = allRoutes.filter((route) => isDashboardRoute(route) && route.method !== 'GET');
  const expected = [...changes.map(({ name }) => name), 'getWebhookBacklog'];
  expect(actions.toSorted()).toEqual(
    expected.filter((name) => !withoutAction.includes(name)).toSorted(),
  );
});

test('the documentation tries a change as its action does: the actions of such routes add nothing', () => {
  const tried = allRoutes.filter(({ name }) => findChange(name));
  expect(tried.length).toBeGreaterThan(10);
  for (const { name } of tried) {
    expect(exported).toContain(`export const ${name} = action(routes.${name});`);
  }
});

test.each<[string, RouteDefinition | undefined]>([
  ['listConversations', allRoutes.find(({ name }) => name === 'listConversations')],
  ['rotateCallingApiKey', allRoutes.find(({ name }) => name === 'rotateCallingApiKey')],
])('%s is for keys only, and not for the dashboard', (_name, route) => {
  expect(route && isDashboardRoute(route)).toBe(false);
});

function filesIn(folder: URL): URL[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => new URL(name.split('/').map(encodeURIComponent).join('/'), folder));
}
