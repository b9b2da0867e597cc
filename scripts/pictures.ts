// `npm run pictures`: takes the pictures of README.md and the guides again, in docs/pictures/.
// Further words are passed to Playwright: `npm run pictures -- -g webhooks`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { environmentOf, obtainChromium } from './browser/chromium.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { buildKitIfChanged } from './testing/build-kit.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = (await buildDashboardIfChanged()) || (await takePictures());

async function takePictures(): Promise<number> {
  buildKitIfChanged();
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const config = ['--config', 'e2e/pictures/playwright.config.ts'];
  const { status } = spawnSync(
    process.execPath,
    [cli, 'test', ...config, ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...environmentOf(await obtainChromium()) },
    },
  );
  return status ?? 1;
}
