import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../log/log.ts';

const rendering = new AsyncLocalStorage<true>();

/** Runs the rendering of a page. An unhandled rejection in it does not end the process. */
export function whileRendering<Result>(act: () => Result): Result {
  return rendering.run(true, act);
}

/**
 * Logs an uncaught error and ends the process, whose state is unknown after it. Code must not rely
 * on this: foreseeable errors are caught where they occur.
 *
 * React and Next begin reads whose result a page may turn out not to need. If such a read fails,
 * its promise is rejected without a handler: that is logged, and the process continues.
 */
export function endOnUncaughtErrors({ log, end }: { log: Logger; end: () => void }): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error was not caught: the process ends');
    end();
  });
  process.on('unhandledRejection', (reason) => {
    if (rendering.getStore()) {
      log.error({ err: reason }, 'a promise was rejected while a page was rendered');
      return;
    }
    log.fatal({ err: reason }, 'a rejected promise was not caught: the process ends');
    end();
  });
}
