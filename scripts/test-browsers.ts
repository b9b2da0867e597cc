// `npm run test:browsers`: runs the main journeys in Firefox and WebKit, if these are installed.
// Further words are passed to Playwright: `npm run test:browsers -- webhooks`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { engineNames, packagesMissingFor } from '#e2e/browsers/engines.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { buildKitIfChanged } from './testing/build-kit.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const found = engineNames.filter((engine) => {
  const missing = packagesMissingFor(engine);
  if (missing.length > 0) {
    console.log(`No ${engine} here: install ${missing.join(' and ')} (on Debian, with apt-get).`);
  }
  return missing.length === 0;
});
process.exitCode = found.length === 0 ? 1 : await runJourneys();
// The installed browsers may have passed, but not every browser was tested.
if (found.length < engineNames.length) process.exitCode = 1;

async function runJourneys(): Promise<number> {
  const built = await buildDashboardIfChanged();
  if (built !== 0) return built;
  buildKitIfChanged();
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const config = ['--config', 'e2e/browsers/playwright.config.ts'];
  const projects = found.map((engine) => `--project=${engine}`);
  const args = [cli, 'test', ...config, ...projects, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}
