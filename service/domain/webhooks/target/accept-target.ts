import { hasNoMarkedSecret } from '#lib/contract/fields/plain-text.ts';
import type { Context } from '../../../context.ts';
import { invalid } from '../../errors.ts';
import { checkTarget, targetRulesOf } from './check-target.ts';

/** Why a webhook may not be saved with this URL; undefined if it may. */
export function findTargetProblem(ctx: Context, text: string): string | undefined {
  return checkGivenTarget(ctx, text).problem;
}

/** The URL to store. @throws ServiceError VALIDATION_ERROR on `url` if it may not be saved */
export function acceptTarget(ctx: Context, text: string): string {
  const { url, problem } = checkGivenTarget(ctx, text);
  if (problem !== undefined) throw invalid('url', problem);
  return url;
}

/** A URL is in the audit log and shown to every member, so it must not contain a token of the API. */
function checkGivenTarget(ctx: Context, text: string): ReturnType<typeof checkTarget> {
  const checked = checkTarget(text, targetRulesOf(ctx.config));
  if (checked.problem === undefined && !hasNoMarkedSecret(checked.url)) {
    return { problem: 'Leave tokens and signing secrets out of the URL.' };
  }
  return checked;
}
