import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../log/log.ts';

const rendering = new AsyncLocalStorage<true>();

/** Runs what renders a page: a promise that is rejected in it with nobody waiting is no reason to end. */
export function whileRendering<Result>(act: () => Result): Result {
  return rendering.run(true, act);
}

/**
 * What nobody caught is logged and ends the process, since nobody knows in which state it left the
 * rest. Nothing may count on this: an error that can be foreseen is caught where it comes about.
 *
 * React and Next begin reads whose result a page may turn out not to need. Such a read that fails
 * rejects a promise nobody waits for: it is logged, and the process goes on.
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
