import type { LogLevel } from '../../log/log.ts';
import type { DashboardSettings } from '../next-pages.ts';

/** What the service tells the process that renders the dashboard. */
export type ToDashboard =
  | {
      type: 'start';
      settings: DashboardSettings;
      /** The Unix socket on which it is to take requests. */
      socketPath: string;
      logLevel: LogLevel;
    }
  /** Asks for `pong`, to find out whether it still does anything. */
  | { type: 'ping' };

/** What that process tells the service. */
export type FromDashboard =
  | { type: 'ready' }
  | { type: 'pong' }
  /** An entry for the log, as JSON. */
  | { type: 'log'; line: string };
