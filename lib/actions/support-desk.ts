'use server';

import * as api from '../api/support-desk.ts';
import type {
  DeskResults,
  FoundToken,
  SearchDeskInput,
} from '../contract/support-desk/support-desk.ts';
import type { FindTokenInput } from '../contract/api-keys/token-search.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runPublicServerAction } from './run-server-action.ts';

// A person of installation support may belong to no account, but `runServerAction` requires one.

/** Searches all accounts that the person who is signed in can open. */
export async function searchDesk(
  input: SearchDeskInput,
): Promise<ActionResult<{ results: DeskResults }>> {
  return await runPublicServerAction(actionArguments.searchDesk, [input], async (valid) => ({
    results: await api.searchDesk(...valid),
  }));
}

/** Finds the key of a token. Takes only the digest: the token stays in the browser. */
export async function findToken(
  input: FindTokenInput,
): Promise<ActionResult<{ found: FoundToken }>> {
  return await runPublicServerAction(actionArguments.findToken, [input], async (valid) => ({
    found: await api.findToken(...valid),
  }));
}

/** Tells the owners of an account that is closed to this person that a token leaked. */
export async function reportUnknownLeak(input: FindTokenInput): Promise<ActionResult> {
  return await runPublicServerAction(actionArguments.reportUnknownLeak, [input], async (valid) => {
    await api.reportUnknownLeak(...valid);
    return {};
  });
}
