import type { Context } from '../../../context.ts';
import { invalid } from '../../errors.ts';
import { checkTarget, targetRulesOf } from './check-target.ts';

/** Why deliveries may not be sent to this URL; undefined if they may. */
export function findTargetProblem(ctx: Context, text: string): string | undefined {
  return checkTarget(text, targetRulesOf(ctx.config)).problem;
}

/** The URL to store. @throws ServiceError VALIDATION_ERROR on `url` if it may not be called */
export function acceptTarget(ctx: Context, text: string): string {
  const { url, problem } = checkTarget(text, targetRulesOf(ctx.config));
  if (problem !== undefined) throw invalid('url', problem);
  return url;
}
