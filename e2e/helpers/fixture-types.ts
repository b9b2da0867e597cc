import type { Control, Server, Service as ServiceOfKit } from 'conversation-service-playwright-kit';
import type { ApiProxy } from './servers/api-proxy.ts';
import type { WorkerServer } from './servers/worker-server.ts';

/** The service under test, and the test's account in it. */
export type Service = ServiceOfKit & {
  /** The server that the tests of a worker share. */
  worker: WorkerServer;
  /** Its process. */
  server: Server;
  /** The token of the account's first key. */
  token: string;
  /** The credential of the dashboard's server. */
  credential: string;
};

export type WorkerOptions = {
  /** Whether someone can sign in to that server from the beginning. */
  isSetUp: boolean;
};

export type WorkerFixtures = {
  /** The server that the tests of a worker share. */
  worker: WorkerServer;
};

export type TestFixtures = {
  service: Service;
  /** What only tests may do to the service. */
  control: Control;
  /** A proxy between the dashboard and the API, which can respond in place of the API. */
  apiProxy: ApiProxy;
};
