import type { Context } from '../../../context.ts';
import { hasPeople } from '../store/people.ts';

/** Whether the service has no person yet. */
export async function isSetUpOpen(ctx: Context): Promise<boolean> {
  return !(await hasPeople(ctx.db));
}
