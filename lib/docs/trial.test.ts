import { expect, test } from 'vitest';
import { publicRoutes } from '../contract/routes.ts';
import { trialOf } from './trial.ts';

const names = publicRoutes.map(({ name }) => name);

function namesOf(kind: string): string[] {
  return names.filter((name) => trialOf(name).kind === kind);
}

test('a read of the dashboard can be tried as one, and a change of it as one', () => {
  const tried = publicRoutes.filter(
    ({ inDashboard, oneTime, streams }) => inDashboard && !oneTime && !streams,
  );
  const isRead = ({ method }: { method: string }) => method === 'GET';
  const named = (routes: typeof tried) => routes.map(({ name }) => name);
  expect(namesOf('read')).toEqual(named(tried.filter(isRead)));
  expect(namesOf('change')).toEqual(named(tried.filter((route) => !isRead(route))));
  expect(namesOf('change')).toContain('updateApiKey');
});

test('no operation whose response contains a token or secret can be tried', () => {
  const oneTime = publicRoutes.filter((route) => route.oneTime);
  expect(oneTime.length).toBeGreaterThan(3);
  for (const { name } of oneTime) expect(trialOf(name).kind, name).toBe('none');
});

test.each([
  ['rotateApiKey', /shown only once.*Rotate token/, 'settings/api-keys'],
  ['regenerateWebhookSecret', /shown only once.*Regenerate secret/, 'settings/webhooks'],
  ['exportAuditLog', /a file.*export/, 'settings/audit-log'],
  ['createConversation', /only for API keys.*sample/, undefined],
  ['rotateCallingApiKey', /only for API keys.*sample/, undefined],
  ['streamEvents', /streams its response.*sample/, undefined],
])('%s says why it cannot be tried, and where to do it instead', (name, why, path) => {
  expect(trialOf(name)).toMatchObject({ kind: 'none', why: expect.stringMatching(why) });
  expect(trialOf(name)).toEqual(
    path === undefined
      ? { kind: 'none', why: expect.any(String) }
      : expect.objectContaining({ page: { path, label: expect.any(String) } }),
  );
});
