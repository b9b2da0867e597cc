import { readAdminCommand } from '../admin/commands.ts';
import type { AdminOutcome } from '../admin/outcome.ts';
import type { Context } from '../context.ts';

/** Runs a command of an operator. Throws if its arguments are refused. */
export async function runCommand(ctx: Context, ...args: readonly string[]): Promise<AdminOutcome> {
  const command = readAdminCommand(args);
  if (typeof command !== 'function') throw new Error(command.text);
  return await command(ctx);
}

/** The password that a command shows. */
export function passwordIn(text: string): string {
  const password = /^ {2}(\S+)$/m.exec(text)?.[1];
  if (!password) throw new Error(`no password in: ${text}`);
  return password;
}
