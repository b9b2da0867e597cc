// `npm run lockfile`, to be run after every change of dependencies; `--check` only checks. npm
// leaves packages out of a lockfile that its registry does not serve, and the registry used in
// development lacks 75 binaries for other platforms. Without entries for them, `npm ci` would
// install none of them there. Their contents are unknown here, so the entries have no checksum
// ("integrity").
import { readFileSync, writeFileSync } from 'node:fs';
import {
  completeLockfile,
  findAddresses,
  findMissingBinaries,
  type Lockfile,
} from './lockfile/lockfile.ts';

const path = new URL('../package-lock.json', import.meta.url);
const lockfile = JSON.parse(readFileSync(path, 'utf8')) as Lockfile;
const missing = findMissingBinaries(lockfile);
const addresses = findAddresses(lockfile);

for (const entry of addresses) console.error(`${entry} names a registry address ("resolved")`);

if (process.argv.includes('--check')) {
  for (const { parent, name } of missing) console.error(`${parent} needs ${name}: not locked`);
  if (missing.length > 0) console.error('run: npm run lockfile');
} else if (missing.length > 0) {
  writeFileSync(path, `${JSON.stringify(completeLockfile(lockfile), undefined, 2)}\n`);
  console.log(`package-lock.json: ${missing.length} entries for other platforms added`);
}

const isFaulty = addresses.length > 0 || (process.argv.includes('--check') && missing.length > 0);
process.exitCode = isFaulty ? 1 : 0;
