import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cruise,
  type IFlattenedRuleSet,
  type IForbiddenRuleType,
  type IModule,
  type IRegularForbiddenRuleType,
} from 'dependency-cruiser';
import { findFolderCycles } from './find-folder-cycles.ts';
import { findForbiddenPaths } from './find-forbidden-paths.ts';
import { findRelativeImportsAcrossFolders } from './find-relative-imports-across-folders.ts';
import { findZodInClientBundles } from './find-zod-in-client-bundles.ts';

export type Violation = { rule: string; from: string; to: string };

/**
 * Reads every import under `root`, including type-only ones, and checks it against the rules.
 *
 * @throws if the reader missed a file or its imports, because rules that see nothing would pass
 */
export async function findViolations(
  root: string,
): Promise<{ violations: Violation[]; moduleCount: number }> {
  const files = listSources(root);
  const result = await cruise(
    files,
    {
      baseDir: root,
      ruleSet: { forbidden: rules } satisfies IFlattenedRuleSet,
      validate: true,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: ['node_modules', '^packages/[^/]+/dist/'] },
    },
    { conditionNames: ['import', 'default', 'types'], exportsFields: ['exports'] },
  );
  if (typeof result.output === 'string') throw new Error(result.output);
  const { modules, summary } = result.output;
  assertAllSeen(root, files, modules);
  return {
    moduleCount: files.length,
    violations: [
      ...summary.violations.map(({ rule, from, to, cycle }) => ({
        rule: rule.name,
        from,
        to: cycle ? cycle.map(({ name }) => name).join(' → ') : to,
      })),
      ...findRelativeImportsAcrossFolders(modules).map((found) => ({
        rule: 'an import from another top-level folder begins with #',
        ...found,
      })),
      ...findFolderCycles(modules).map((cycle) => ({
        rule: 'folders import in one direction',
        ...cycle,
      })),
      ...pureImports.flatMap(({ rule, from, to }) =>
        findForbiddenPaths(modules, { from, to }).map((path) => ({ rule, ...path })),
      ),
      ...findZodInClientBundles(root, modules).map((path) => ({
        rule: 'no zod in the browser',
        ...path,
      })),
    ],
  };
}

const folders = ['app', 'components', 'lib', 'service', 'e2e', 'scripts', 'packages'];
const anyFolder = `^(${folders.join('|')})/`;
const tests = '\\.(test|soak)\\.tsx?$';
const stores = '^service/domain/[^/]+/store(\\.ts$|/)';
/** The folders of `lib/` whose files are pure, as are those directly in `lib/`. */
const pureFolders = 'class-names|failures';
const pureInLib = `^lib/((${pureFolders})/)?[^/]+\\.tsx?$`;

/**
 * The nouns of the service in their order: each may import only those before it. What a change of a
 * noun brings about in later ones is listed in `service/boot/effects.ts`.
 */
const nouns = [
  'capacity',
  'idempotency',
  'audit',
  'events',
  'quotas',
  'people',
  'api-keys',
  'webhooks',
  'lanes',
  'workers',
  'installation',
  'deliveries',
  'replays',
  'event-log',
  'event-feed',
  'rotation-requests',
  'conversations',
  'audit-log',
  'support-desk',
  'retention',
  'erasure',
];

const rules: IForbiddenRuleType[] = [
  forbid('no import cycles', {}, { circular: true }),
  forbid('every import resolves', {}, { couldNotResolve: true }),
  forbid(
    'no barrels: nothing is re-exported',
    { pathNot: '^packages/[^/]+/src/index\\.ts$' },
    { path: anyFolder, dependencyTypes: ['export'] },
  ),

  forbid(
    'app imports only app, components and lib',
    { path: '^(app/|proxy\\.ts$)' },
    { path: anyFolder, pathNot: '^(app|components|lib)/' },
  ),
  forbid(
    'components import only components and lib',
    { path: '^components/' },
    { path: anyFolder, pathNot: '^(components|lib)/' },
  ),
  forbid(
    'a noun in components imports only itself, ui and shell',
    { path: '^components/(?!ui/|shell/)([^/]+)/' },
    { path: '^components/', pathNot: '^components/($1|ui|shell|testing)/' },
  ),
  forbid(
    'components/shell imports only itself and ui',
    { path: '^components/shell/' },
    { path: '^components/', pathNot: '^components/(shell|ui)/' },
  ),
  forbid(
    'components/ui imports only itself and pure files of lib',
    { path: '^components/ui/' },
    { path: anyFolder, pathNot: ['^components/ui/', pureInLib] },
  ),

  forbid('lib imports only lib', { path: '^lib/' }, { path: anyFolder, pathNot: '^lib/' }),
  forbid(
    'lib/contract imports only zod, durations and object keys',
    { path: '^lib/contract/', pathNot: tests },
    { pathNot: ['^lib/contract/', '^node_modules/zod/', '^lib/(durations|object-keys)\\.ts$'] },
  ),

  forbid(
    'the service imports nothing of the dashboard but lib/contract and pure files of lib',
    { path: '^service/' },
    { path: anyFolder, pathNot: ['^(service|packages)/', '^lib/(contract|testing)/', pureInLib] },
  ),
  forbid(
    'http imports neither delivery nor db',
    { path: '^service/http/', pathNot: tests },
    { path: '^service/(delivery|db)/' },
  ),
  forbid(
    'delivery imports neither http nor auth nor db',
    { path: '^service/delivery/', pathNot: tests },
    { path: '^service/(http|auth|db)/' },
  ),
  forbid(
    'only start/ imports http and delivery',
    {
      path: '^service/',
      pathNot: ['^service/(start/|http/|delivery/|testing/)', tests],
    },
    { path: '^service/(http|delivery)/' },
  ),
  forbid(
    'db imports nothing above it',
    { path: '^service/db/', pathNot: tests },
    { path: '^service/(domain|auth|http|delivery)/' },
  ),
  ...nouns.map((noun, place) =>
    forbid(
      'a noun imports only those before it',
      { path: `^service/domain/${noun}/`, pathNot: tests },
      { path: `^service/domain/(?!(${nouns.slice(0, place + 1).join('|')})/)[^/]+/` },
    ),
  ),
  forbid(
    'every noun has a place in the order',
    { path: `^service/domain/(?!(${nouns.join('|')})/)[^/]+/` },
    {},
  ),
  forbid(
    'what nouns share imports no noun',
    { path: '^service/domain/[^/]+\\.ts$', pathNot: tests },
    { path: '^service/domain/[^/]+/' },
  ),
  forbid(
    'a store is private to its noun',
    { path: '^service/domain/([^/]+)/' },
    { path: stores, pathNot: '^service/domain/$1/' },
  ),
  forbid('a store is private to its noun', { pathNot: '^service/domain/' }, { path: stores }),
  forbid(
    'only stores and db contain SQL',
    {
      path: '^service/',
      pathNot: [
        '^service/(db|testing|control)/',
        stores,
        // What other nouns run in their own transactions and statements.
        '^service/domain/(audit|events|lanes)/statements/',
        tests,
      ],
    },
    { path: '^node_modules/(drizzle-orm|pg|@electric-sql/pglite)/' },
  ),
  forbid(
    'only tests import service/testing',
    { pathNot: ['^service/(testing|control)/', '^tools/bench/', '^e2e/', tests] },
    { path: '^service/testing/' },
  ),
  forbid(
    'only tests import testing/ in components and lib',
    {
      pathNot: ['^(components|lib)/testing/', '^service/testing/', '^tools/bench/', '^e2e/', tests],
    },
    { path: '^(components|lib)/testing/' },
  ),

  forbid(
    'test support is in components/testing, lib/testing or service/testing',
    {},
    { path: '^(components|lib|service)/.+/testing/' },
  ),

  forbid(
    'only scripts start the service',
    {
      path: '^(app|components|lib|service|e2e)/',
      pathNot: ['^service/(main\\.ts$|start/)', tests],
    },
    { path: '^service/(main\\.ts$|admin\\.ts$|start/)' },
  ),
  forbid(
    'browser tests import nothing of the product but lib',
    { path: '^e2e/' },
    // What browsers can do is no part of the product. A receiver of webhooks is outside the product too, and so are a client, a certificate and a
    // data folder.
    {
      path: anyFolder,
      pathNot: [
        '^(e2e|lib|packages/playwright-kit|scripts/browser)/',
        '^service/testing/(delivery/(certificates|receiver)|http/holding-clients)\\.ts$',
      ],
    },
  ),
  forbid(
    'nothing imports the commands of tests',
    { pathNot: '^service/control/' },
    { path: '^service/control/' },
  ),
  forbid(
    'a package imports nothing of the repository',
    { path: '^packages/([^/]+)/' },
    { path: anyFolder, pathNot: '^packages/$1/' },
  ),
  forbid(
    'only tests import packages',
    // The commands of tests take only types from there.
    { pathNot: ['^(packages|e2e|service/control)/', tests] },
    { path: '^packages/' },
  ),
  forbid(
    'nothing imports scripts, the bench or e2e',
    { path: '^(app|components|lib|service|proxy\\.ts$)' },
    { path: '^(scripts|tools/bench|e2e)/' },
  ),
  forbid(
    'the product imports no development package',
    {
      path: '^(app/|components/|lib/|service/|proxy\\.ts$|next\\.config|scripts/(start|build)\\.ts$)',
      pathNot: ['^(lib|service)/testing/', tests],
    },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
];

/** Modules of `from` must not import modules of `to`, directly or through other modules. */
const pureImports = [
  {
    rule: 'what components/ui imports of lib is pure',
    from: /^components\/ui\//,
    to: new RegExp(
      `^lib/(?!(${pureFolders})/)[^/]+/|^node_modules/(server-only/|next/(headers|server|cache)\\.js)`,
    ),
  },
  {
    rule: 'what the service imports of lib is pure',
    from: /^service\//,
    to: new RegExp(`^lib/(?!(contract|testing|${pureFolders})/)[^/]+/|^node_modules/server-only/`),
  },
];

function forbid(
  name: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IForbiddenRuleType {
  return { name, severity: 'error', from, to };
}

/** Every source file under `root` that the rules cover. */
function listSources(root: string): string[] {
  const inFolders = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        `${folder}/${path}`.replaceAll('\\', '/'),
      ),
    );
  return [...inFolders, ...readdirSync(root)].filter(
    (path) =>
      /\.(ts|tsx|mts|mjs|js)$/.test(path) &&
      !path.endsWith('.d.ts') &&
      !/^packages\/[^/]+\/(dist|example|node_modules)\//.test(path),
  );
}

function assertAllSeen(root: string, files: string[], modules: IModule[]): void {
  const importsOf = new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
  const unseen = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    // `import (` is Go, in the code that is shown to people who receive webhooks.
    const hasImports = /^(import\b(?! \()|export [^;'"]*\bfrom\b)[^;'"]*['"]/m.test(source);
    const found = importsOf.get(file);
    return found === undefined || (hasImports && found.length === 0);
  });
  if (files.length === 0) throw new Error(`no source file under ${root}`);
  if (unseen.length > 0)
    throw new Error(`the imports of these were not read: ${unseen.join(', ')}`);
}
