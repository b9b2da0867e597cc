import type { Context } from '../context.ts';
import type { OperatorContext } from '../domain/people/members/operator/operator.ts';

/**
 * What a command prints, and the exit code of the process: 0 done, 1 failed, 2 wrong usage. A report
 * is what was asked for, also if it names problems, so it is not printed as an error.
 */
export type AdminOutcome = { exitCode: 0 | 1 | 2; text: string; isReport?: true | undefined };

/** What a command can reach. The verbs of operators need less of it. */
export type AdminContext = OperatorContext & Pick<Context, 'config' | 'log' | 'maintenanceDb'>;

export type AdminCommand = (ctx: AdminContext) => Promise<AdminOutcome>;

/** Reads a command's arguments, or returns a text that says what is wrong with them. */
export type CommandReader = (args: readonly string[]) => AdminCommand | string;

export const done = (text: string): AdminOutcome => ({ exitCode: 0, text });

export const failed = (text: string): AdminOutcome => ({ exitCode: 1, text });

/** @param isInOrder whether a check found nothing */
export const reported = (text: string, isInOrder: boolean): AdminOutcome => ({
  exitCode: isInOrder ? 0 : 1,
  text,
  isReport: true,
});

export const misused = (text: string): AdminOutcome => ({ exitCode: 2, text });
