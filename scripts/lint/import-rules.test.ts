import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findViolations } from './import-rules.ts';

type Tree = Record<string, string>;

const validTree: Tree = {
  'app/page.tsx': `import { CreateApiKey } from '#components/api-keys/create-api-key.tsx';`,
  'app/a/[account]/data/[route]/route.ts': `import { serveRead } from '#lib/api/serve-read.ts';`,
  'components/api-keys/create-api-key.tsx': `'use client';
    import { Button } from '../ui/button.tsx';
    import { useConfirm } from '../shell/confirm.tsx';
    import { createApiKey } from '#lib/actions/api-keys.ts';
    import type { ApiKey } from '#lib/contract/api-keys/api-keys.ts';
    import { scopes } from '#lib/contract/api-keys/scopes.ts';`,
  'components/ui/button.tsx': `import { countOf } from '#lib/count.ts';
    import { cn } from '#lib/class-names/cn.ts';`,
  'components/shell/confirm.tsx': `import { Button } from '../ui/button.tsx';`,
  'components/webhooks/list.tsx': '',
  'components/testing/make-webhook.ts': '',
  'components/webhooks/list.test.ts': `import '../testing/make-webhook.ts';`,
  'lib/count.ts': '',
  'lib/class-names/cn.ts': '',
  'lib/failures/throttled-failures.ts': '',
  'lib/count.test.ts': `import './testing/fake-next-headers.ts';`,
  'lib/testing/fake-next-headers.ts': '',
  'lib/session.ts': `import 'server-only';`,
  'lib/api/serve-read.ts': `import 'server-only'; import { z } from '#lib/contract/api-keys/api-keys.ts';`,
  'lib/actions/api-keys.ts': `'use server';
    import { serveRead } from '../api/serve-read.ts';`,
  'lib/contract/api-keys/api-keys.ts': `import { z } from 'zod'; import { scopes } from './scopes.ts';`,
  'lib/contract/api-keys/scopes.ts': '',
  'service/main.ts': `await import('./start/start.ts');`,
  'service/start/start.ts': `import { app } from '../http/app.ts'; import { work } from '../delivery/worker.ts';`,
  'service/http/app.ts': `import { rotate } from '../domain/api-keys/rotate.ts';
    import { apiKey } from '#lib/contract/api-keys/api-keys.ts';`,
  'service/delivery/worker.ts': `import { claim } from '../domain/lanes/claim.ts';`,
  'service/domain/lanes/claim.ts': `import { countOf } from '#lib/count.ts';
    import { ThrottledFailures } from '#lib/failures/throttled-failures.ts';`,
  'service/domain/api-keys/rotate.ts': `import { findKey } from './store.ts';
    import { members } from '../people/members.ts';`,
  'service/domain/people/store/all.ts': `import { eq } from 'drizzle-orm';`,
  'service/domain/people/members.ts': `import { notFound } from '../errors.ts';`,
  'service/domain/people/members.test.ts': `import { rotate } from '../api-keys/rotate.ts';`,
  'service/domain/errors.ts': '',
  'service/domain/api-keys/store.ts': `import { eq } from 'drizzle-orm'; import { db } from '../../db/open.ts';`,
  'service/db/open.ts': `import { drizzle } from 'drizzle-orm';`,
  'service/testing/context.ts': `import { db } from '../db/open.ts';`,
  'service/http/app.test.ts': `import { context } from '../testing/context.ts';
    import '#lib/testing/fake-next-headers.ts';`,
  'service/control/preload.ts': `import './commands.ts';`,
  'service/control/commands.ts': `import { db } from '../db/open.ts';`,
  'packages/client/src/index.ts': `export { createClient } from './create-client.ts';`,
  'packages/client/src/create-client.ts': '',
  'scripts/start.ts': `await import('#service/main.ts');`,
};

test('a valid tree passes, and every module in it is read', async () => {
  const { violations, moduleCount } = await checkTree({});
  expect(violations).toEqual([]);
  expect(moduleCount).toBe(Object.keys(validTree).length);
});

/** For each rule, files that break it with what they contain. */
const broken: Record<string, string[]> = {
  'no import cycles': [`lib/count.ts: import type { A } from './b.ts'`],
  'every import resolves': [`lib/b.ts: import './nowhere.ts'`],
  'no barrels: nothing is re-exported': [
    `lib/b.ts: export * from './count.ts'`,
    `lib/b.ts: export { countOf } from './count.ts'`,
    `lib/b.ts: export type { A } from './count.ts'`,
  ],
  'an import from another top-level folder begins with #': [
    `app/layout.tsx: import '../lib/session.ts'`,
  ],
  'app imports only app, components and lib': [
    `app/b.ts: import { app } from '#service/http/app.ts'`,
    `app/b.ts: import type { A } from '#service/http/app.ts'`,
    `app/b.ts: const a = await import('#service/http/app.ts')`,
    `proxy.ts: import '#service/http/app.ts'`,
  ],
  'components import only components and lib': [
    `components/api-keys/b.tsx: import '#app/page.tsx'`,
    `components/ui/b.tsx: import '#service/db/open.ts'`,
  ],
  'a noun in components imports only itself, ui and shell': [
    `components/api-keys/b.tsx: import '../webhooks/list.tsx'`,
  ],
  'components/shell imports only itself and ui': [
    `components/shell/b.tsx: import '../webhooks/list.tsx'`,
  ],
  'components/ui imports only itself and pure files of lib': [
    `components/ui/b.tsx: import '../shell/confirm.tsx'`,
    `components/ui/b.tsx: import '#lib/contract/api-keys/scopes.ts'`,
  ],
  'what components/ui imports of lib is pure': [`components/ui/b.tsx: import '#lib/session.ts'`],
  'lib imports only lib': [
    `lib/b.ts: import '#components/ui/button.tsx'`,
    `lib/api/b.ts: import type { A } from '#service/http/app.ts'`,
  ],
  'lib/contract imports only zod, durations and object keys': [
    `lib/contract/b.ts: import '../count.ts'`,
    `lib/contract/b.ts: import { randomUUID } from 'node:crypto'`,
  ],
  'the service imports nothing of the dashboard but lib/contract and pure files of lib': [
    `service/http/b.ts: import '#lib/api/serve-read.ts'`,
    `service/b.ts: import '#components/ui/button.tsx'`,
  ],
  'what the service imports of lib is pure': [`service/http/b.ts: import '#lib/session.ts'`],
  'http imports neither delivery nor db': [
    `service/http/b.ts: import '../db/open.ts'`,
    `service/http/b.ts: import type { A } from '../delivery/worker.ts'`,
  ],
  'delivery imports neither http nor auth nor db': [
    `service/delivery/b.ts: import '../http/app.ts'`,
  ],
  'only start/ imports http and delivery': [
    `service/domain/lanes/b.ts: import '../../http/app.ts'`,
    `service/context.ts: import './delivery/worker.ts'`,
  ],
  'db imports nothing above it': [`service/db/b.ts: import '../domain/lanes/claim.ts'`],
  'a noun imports only those before it': [
    `service/domain/people/b.ts: import type { A } from '../api-keys/rotate.ts'`,
  ],
  'every noun has a place in the order': [
    `service/domain/invoices/b.ts: import '../people/members.ts'`,
  ],
  'what nouns share imports no noun': [`service/domain/b.ts: import './people/members.ts'`],
  'a store is private to its noun': [
    `service/domain/lanes/b.ts: import '../api-keys/store.ts'`,
    `service/http/b.ts: import '../domain/api-keys/store.ts'`,
    `service/http/b.ts: import '../domain/people/store/all.ts'`,
  ],
  'only stores and db contain SQL': [`service/domain/lanes/b.ts: import { eq } from 'drizzle-orm'`],
  'a package imports nothing of the repository': [
    `packages/client/src/b.ts: import { countOf } from '#lib/count.ts'`,
  ],
  'only tests import packages': [
    `lib/b.ts: import { createClient } from '#packages/client/src/create-client.ts'`,
  ],
  'only tests import service/testing': [`service/http/b.ts: import '../testing/context.ts'`],
  'only tests import testing/ in components and lib': [
    `components/webhooks/b.tsx: import '../testing/make-webhook.ts'`,
    `lib/actions/b.ts: import '../testing/fake-next-headers.ts'`,
  ],
  'test support is in components/testing, lib/testing or service/testing': [
    `components/webhooks/testing/b.ts: import './b.ts'`,
  ],
  'only scripts start the service': [`service/http/b.ts: import '../main.ts'`],
  'browser tests import nothing of the product but lib': [
    `e2e/b.spec.ts: import '#service/http/app.ts'`,
  ],
  'nothing imports the commands of tests': [`service/http/b.ts: import '../control/preload.ts'`],
  'nothing imports scripts, the bench or e2e': [`lib/b.ts: import '#scripts/start.ts'`],
  'the product imports no development package': [`lib/b.ts: import 'fast-check'`],
  'no zod in the browser': [
    `components/api-keys/b.tsx: 'use client'; import { z } from '#lib/contract/api-keys/api-keys.ts'`,
  ],
};

test.each(
  Object.entries(broken).flatMap(([rule, files]) => files.map((text) => [rule, text] as const)),
)('%s (%s)', async (rule, text) => {
  const [file = '', source = ''] = text.split(/: (.*)/);
  const cycle: Tree = { 'lib/b.ts': `import { countOf } from './count.ts'` };
  const { violations } = await checkTree({
    ...(rule.includes('cycle') ? cycle : {}),
    [file]: source,
  });
  expect(violations.map((violation) => violation.rule)).toContain(rule);
  expect(violations.find((violation) => violation.rule === rule)?.from).toMatch(
    rule.includes('cycle') ? /^lib\// : file,
  );
});

test('folders import in one direction, even if no single files form a cycle', async () => {
  const { violations } = await checkTree({
    'components/api-keys/list/page.tsx': `import { Dialog } from '../actions/dialog.tsx'`,
    'components/api-keys/list/row.tsx': '',
    'components/api-keys/actions/dialog.tsx': '',
    'components/api-keys/actions/use-actions.ts': `import type { Row } from '../list/row.tsx'`,
  });
  expect(violations).toEqual([
    {
      rule: 'folders import in one direction',
      from: 'components/api-keys/actions/use-actions.ts',
      to: 'components/api-keys/list/row.tsx',
    },
    {
      rule: 'folders import in one direction',
      from: 'components/api-keys/list/page.tsx',
      to: 'components/api-keys/actions/dialog.tsx',
    },
  ]);
});

test('the folders of the service import in one direction too', async () => {
  const { violations } = await checkTree({
    'service/config/load-config.ts': `import { StartError } from '../boot/start-error.ts'`,
    'service/boot/start-error.ts': '',
    'service/boot/boot.ts': `import type { Config } from '../config/load-config.ts'`,
    'service/boot/boot.test.ts': `import { app } from '../http/app.ts'`,
  });
  expect(violations.map(({ from, to }) => `${from} → ${to}`).toSorted()).toEqual([
    'service/boot/boot.ts → service/config/load-config.ts',
    'service/config/load-config.ts → service/boot/start-error.ts',
  ]);
});

test('a tree whose imports could not be read is refused', async () => {
  await expect(checkTree({ 'lib/b.ts': `// nothing\nimport type from 'x' ?` })).rejects.toThrow();
});

async function checkTree(changes: Tree) {
  const root = mkdtempSync(join(tmpdir(), 'import-rules-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const packages: Tree = {
    'package.json': JSON.stringify({
      imports: { '#*': './*' },
      dependencies: { zod: '4', 'drizzle-orm': '0', 'server-only': '0' },
      devDependencies: { 'fast-check': '4', vitest: '5' },
    }),
  };
  for (const name of ['zod', 'drizzle-orm', 'server-only', 'fast-check', 'vitest']) {
    packages[`node_modules/${name}/package.json`] = JSON.stringify({ name, main: 'index.js' });
    packages[`node_modules/${name}/index.js`] = '';
  }
  for (const [path, source] of Object.entries({ ...packages, ...validTree, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), source);
  }
  return findViolations(root);
}
