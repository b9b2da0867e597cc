// `npm run build`: builds the dashboard whether or not its sources changed.
import { buildDashboard } from './dashboard/dashboard-build.ts';

process.exitCode = await buildDashboard();
