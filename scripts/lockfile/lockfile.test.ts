import { expect, test } from 'vitest';
import { completeLockfile, findAddresses, findMissingBinaries, type Lockfile } from './lockfile.ts';

const lockfile: Lockfile = {
  packages: {
    '': {},
    'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example/a.tgz' },
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-musl': '2.0.0',
        '@tool/win32-arm64-msvc': '2.0.0',
        '@tool/wasm32-wasi': '2.0.0',
        '@tool/darwin-arm64': '2.0.0',
      },
    },
    'node_modules/@tool/darwin-arm64': { version: '1.9.0', os: ['darwin'], optional: true },
  },
};

test('a binary that is absent, or locked at another version, is missing', () => {
  expect(findMissingBinaries(lockfile)).toHaveLength(4);
});

test('a completed lockfile lacks nothing, and completing it again changes nothing', () => {
  const completed = completeLockfile(lockfile);
  expect(findMissingBinaries(completed)).toEqual([]);
  expect(completeLockfile(completed)).toEqual(completed);
});

test('a binary is locked for its platform only, beside another version if there is one', () => {
  const { packages } = completeLockfile(lockfile);
  const common = { version: '2.0.0', dev: true, optional: true };
  expect(packages).toMatchObject({
    'node_modules/@tool/linux-x64-musl': { ...common, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/@tool/win32-arm64-msvc': { ...common, os: ['win32'], cpu: ['arm64'] },
    'node_modules/@tool/wasm32-wasi': { ...common, cpu: ['wasm32'] },
    'node_modules/tool/node_modules/@tool/darwin-arm64': { ...common, os: ['darwin'] },
    'node_modules/@tool/darwin-arm64': { version: '1.9.0' },
  });
});

test('nothing is guessed about a package whose name contains no platform', () => {
  const packages = { 'node_modules/b': { optionalDependencies: { 'b-native': '1.0.0' } } };
  expect(() => completeLockfile({ packages })).toThrow('b-native');
});

test('a registry address is found', () => {
  expect(findAddresses(lockfile)).toEqual(['node_modules/a']);
});

test('a link to a folder of the repository is not an address', () => {
  const packages = { 'node_modules/part': { resolved: 'service/part', link: true } };
  expect(findAddresses({ packages })).toEqual([]);
});
