import type { bootContext } from '../boot/boot-context.ts';
import type { Context } from '../context.ts';
import { createLimiter } from '../limiter/limiter.ts';
import { commandsFor } from './commands.ts';
import type { Command, CommandResult } from 'conversation-service-playwright-kit';
import { MovableClock, ResettableLimiter } from './controlled-context.ts';

/**
 * Starts the service with the parts that the product has, and runs the suite's commands from then
 * on.
 */
export async function bootControlled(
  boot: typeof bootContext,
  options: Parameters<typeof bootContext>[0],
): Promise<Context> {
  const { config, log } = options;
  const clock = new MovableClock(options.clock);
  const booted = await boot({ ...options, clock });
  await booted.limiter.close();
  const limiter = new ResettableLimiter(() => createLimiter({ config, clock, log }));
  const ctx = { ...booted, clock, limiter };

  const commands = commandsFor(ctx);
  process.on('message', ({ id, command, input }: Command) => {
    const run = commands[command] as (input: object) => Promise<unknown>;
    run(input).then(
      (result) => respond({ id, result }),
      (error: unknown) => respond({ id, failure: `${command}: ${String(error)}` }),
    );
  });
  // Waiting for the next command must not keep the process alive.
  process.channel?.unref();
  return ctx;
}

function respond(result: CommandResult): void {
  process.send?.(result);
}
