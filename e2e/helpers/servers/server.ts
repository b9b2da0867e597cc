import { fileURLToPath } from 'node:url';
import { startServer as startProduct } from 'conversation-service-playwright-kit';
import type { Environment, Server } from 'conversation-service-playwright-kit';

/** The folder of this repository, with the built dashboard. */
export const product = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Starts a server that only the test uses, and resolves when it is ready.
 * @param options.folder another copy of the project, with a build of its own
 */
export async function startServer(
  environment: Environment,
  { folder = product } = {},
): Promise<Server> {
  return await startProduct({ product: folder, environment });
}
