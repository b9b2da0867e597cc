'use server';

import * as api from '../api/support-access.ts';
import type { SetSupportAccessInput } from '../contract/support-access.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

/** For owners. Pages that are open show the change once they are loaded again. */
export async function setSupportAccess(input: SetSupportAccessInput): Promise<ActionResult> {
  return await attempt(actionArguments.setSupportAccess, [input], async (valid) => {
    await api.setSupportAccess(...valid);
    return {};
  });
}
