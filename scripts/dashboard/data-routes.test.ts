import { globSync, readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { safeNext } from '#lib/paths/sign-in-path.ts';
import { refusePage } from '#service/http/listener/pages/refuse-page.ts';

const app = new URL('../../app/', import.meta.url);
const publicUrl = new URL('https://keys.example.com');

/** The path of each route handler that returns data, such as `/a/7/data/7`. */
const paths = globSync('**/data/**/route.ts', { cwd: app }).map(
  (file) => `/${file.replace(/\/route\.ts$/, '').replace(/\[\w+\]/g, '7')}`,
);

test('there are handlers for accounts and for the support desk', () => {
  expect(paths.toSorted()).toEqual(['/a/7/data/7', '/a/7/data/exportAuditLog', '/support/data/7']);
});

test.each(paths)(
  '%s returns data: it responds only to our own pages, and is never shown as a page',
  (path) => {
    const host = publicUrl.host;
    const headers = { 'sec-fetch-site': 'cross-site' };
    const refusal = refusePage({ method: 'GET', url: path, headers }, { host, publicUrl });
    expect(refusal?.status).toBe(403);
    expect(safeNext(path)).toBe('/');
    expect(noPage().test(path)).toBe(true);
  },
);

/** The requests that the service worker leaves to the browser. */
function noPage(): RegExp {
  const context = createContext({ self: { addEventListener: () => undefined } });
  const source = readFileSync(new URL('../../public/service-worker.js', import.meta.url), 'utf8');
  runInContext(source, context);
  return runInContext('NO_PAGE', context) as RegExp;
}
