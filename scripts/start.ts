// `npm start`: one process, so that Ctrl-C and a supervisor's signals reach the service itself.
import { buildDashboardIfChanged } from './dashboard-build.ts';
import { endWithNpm } from './end-with-npm.ts';

const servesDashboard = (process.env['ROLES'] ?? 'web')
  .split(',')
  .some((role) => role.trim() === 'web');
const exitCode = servesDashboard ? buildDashboardIfChanged() : 0;

if (exitCode === 0) {
  Object.assign(process.env, { NODE_ENV: 'production' });
  endWithNpm();
  await import('#service/main.ts');
} else {
  process.exitCode = exitCode;
}
