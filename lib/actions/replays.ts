'use server';

import * as api from '../api/replays.ts';
import type { ReplayInput } from '../api/replays.ts';
import type { Replay, ReplaySize } from '../contract/deliveries/replays.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

/** Counts the events that a replay would send. @param webhook id or uuid */
export async function countReplay(
  webhook: string,
  input: ReplayInput,
): Promise<ActionResult<{ size: ReplaySize }>> {
  return await runServerAction(actionArguments.countReplay, [webhook, input], async (valid) => ({
    size: await api.countReplay(...valid),
  }));
}

/** Starts a replay. @param webhook id or uuid */
export async function createReplay(
  webhook: string,
  input: ReplayInput,
): Promise<ActionResult<{ replay: Replay }>> {
  return await runServerAction(actionArguments.createReplay, [webhook, input], async (valid) => ({
    replay: await api.createReplay(...valid),
  }));
}

/** @param replay uuid */
export async function cancelReplay(replay: string): Promise<ActionResult<{ replay: Replay }>> {
  return await runServerAction(actionArguments.cancelReplay, [replay], async (valid) => ({
    replay: await api.cancelReplay(...valid),
  }));
}
