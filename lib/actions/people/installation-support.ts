'use server';

import * as api from '../../api/people/installation-support.ts';
import type {
  InstallationSupport,
  OpenSupportVisitInput,
  SetInstallationSupportInput,
} from '../../contract/people/installation-support.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction } from '../run-server-action.ts';

/** For owners: what installation support may do in the account. */
export async function setInstallationSupport(
  input: SetInstallationSupportInput,
): Promise<ActionResult<{ support: InstallationSupport }>> {
  return await runServerAction(actionArguments.setInstallationSupport, [input], async (valid) => ({
    support: await api.setInstallationSupport(...valid),
  }));
}

/** Says why installation support opens the account. */
export async function openSupportVisit(input: OpenSupportVisitInput): Promise<ActionResult> {
  return await runServerAction(actionArguments.openSupportVisit, [input], async (valid) => {
    await api.openSupportVisit(...valid);
    return {};
  });
}

/** Ends the visit of installation support in this session. */
export async function endSupportVisit(): Promise<ActionResult> {
  return await runServerAction(actionArguments.endSupportVisit, [], async () => {
    await api.endSupportVisit();
    return {};
  });
}
