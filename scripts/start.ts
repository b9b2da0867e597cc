// `npm start`: runs the service in this process, so that Ctrl-C and a supervisor's signals reach it
// directly.
import { stripVTControlCharacters } from 'node:util';
import { servesDashboard } from '#service/config/serves-dashboard.ts';
import { createLogger } from '#service/log/log.ts';
import { buildDashboardIfChanged } from './dashboard/dashboard-build.ts';
import { buildForStart } from './dashboard/build-for-start.ts';
import { endWithNpm } from './end-with-npm.ts';

const exitCode = servesDashboard(process.env)
  ? await buildForStart(
      () => buildDashboardIfChanged(buildPrinter()),
      (text) => process.stderr.write(text),
    )
  : 0;

if (exitCode === 0) {
  Object.assign(process.env, { NODE_ENV: 'production' });
  endWithNpm();
  await import('#service/main.ts');
} else {
  process.exitCode = exitCode;
}

/** The build prints directly to a terminal, but through the log if the service logs JSON. */
function buildPrinter(): ((line: string) => void) | undefined {
  if (process.stdout.isTTY) return undefined;
  const log = createLogger({ level: 'info', isPretty: false });
  return (line) => {
    const message = stripVTControlCharacters(line).trimEnd();
    if (message !== '') log.info({ source: 'next build' }, message);
  };
}
