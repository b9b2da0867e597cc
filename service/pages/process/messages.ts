import type { LogLevel } from '../../log/log.ts';
import type { DashboardSettings } from '../next-pages.ts';

/** Messages from the service to the process that renders the dashboard. */
export type ToDashboard =
  | {
      type: 'start';
      settings: DashboardSettings;
      /** The Unix socket on which it has to accept requests. */
      socketPath: string;
      logLevel: LogLevel;
    }
  /** Requests a `pong`, to find out whether the process still responds. */
  | { type: 'ping' };

/** Messages from that process to the service. */
export type FromDashboard =
  | { type: 'ready' }
  | { type: 'pong' }
  /** An entry for the log, as JSON. */
  | { type: 'log'; line: string };
