// `npm run bundle`: writes what the service needs to run, with the built dashboard, to one archive.
// It starts without a registry, on any machine with the same system and processor.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { version } from '#service/version.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const parts = [
  'package.json',
  'next.config.mjs',
  'README.md',
  'CHANGELOG.md',
  '.next',
  'docs',
  'public',
  'scripts',
  'lib',
  'service',
  'node_modules/.bin/node',
  ...listProductionPackages(),
];

/** Of these parts: what only builds and tests need, or what the build has put into its output. */
const unneeded = [
  /\.test\.tsx?$/,
  /^docs\/(decisions|(architecture|bench|specification|testing)\.md)$/,
  /^(service|lib)\/testing$/,
  /^\.next\/(build|cache|diagnostics|trace.*|turbopack|types)$/,
  /^node_modules\/(@base-ui|@floating-ui|@fontsource-variable|@img|@tailwindcss|@tanstack|@types|@typescript)(\/|$)/,
  /^node_modules\/(caniuse-lite|csstype|jiti|lightningcss.*|lucide-react|nuqs|openapi-.*|playwright.*|sharp|tailwindcss|typescript)$/,
  /^node_modules\/@next\/swc-/,
  /^node_modules\/node-linux-[^/]+\/(include|share)$/,
  /^node_modules\/next\/dist\/(docs|esm|compiled\/[^/]+-experimental)$/,
  /^node_modules\/.*(\.map|\.dev\.js|\.d\.[cm]?ts)$/,
];

const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const status = await buildDashboardIfChanged();
if (status === 0) bundle(values.folder);
process.exitCode = status;

/** @param folder where to put the files instead of writing an archive */
function bundle(folder: string | undefined): void {
  if (folder !== undefined) {
    copyParts(resolve(folder));
    return;
  }
  const name = `conversation-service-${version}-${process.platform}-${process.arch}`;
  const archive = join(root, `${name}.tar.gz`);
  const staging = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    copyParts(join(staging, name));
    execFileSync('tar', ['--create', '--gzip', '--file', archive, '--directory', staging, name]);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  const megabytes = Math.round(statSync(archive).size / 1e6);
  console.log(`Wrote ${relative(root, archive)} (${megabytes} MB).`);
}

function copyParts(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const part of parts) {
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter(source) {
        const path = relative(root, source);
        return !unneeded.some((pattern) => pattern.test(path));
      },
    });
  }
}

/** The folders of the packages in the lockfile that are not only for development. */
function listProductionPackages(): string[] {
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as {
    packages: Record<string, { dev?: true; link?: true; os?: string[]; cpu?: string[] }>;
  };
  return Object.entries(packages)
    .filter(
      ([path, about]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !about.dev && !about.link,
    )
    .map(([path]) => path)
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined);
}
