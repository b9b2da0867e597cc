import type { Context } from '../../../context.ts';
import { hasPeople } from '../store/people.ts';

/** Whether the service still waits for its first person. */
export async function isSetUpOpen(ctx: Context): Promise<boolean> {
  return !(await hasPeople(ctx.db));
}
