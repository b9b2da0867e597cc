'use server';

import { z } from 'zod';
import * as api from '../api/replays.ts';
import type { ReplayInput } from '../api/replays.ts';
import { createReplayInput } from '../contract/replays.ts';
import type { Replay } from '../contract/replays.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

const replayInput = createReplayInput.omit({ dry_run: true });

/** How many events it would be; nothing begins. @param webhook id or uuid */
export async function countReplay(
  webhook: string,
  input: ReplayInput,
): Promise<ActionResult<{ count: number }>> {
  return await attempt(replayInput, input, async (valid) => ({
    count: await api.countReplay(webhook, valid),
  }));
}

/** The replay has only begun when this returns. @param webhook id or uuid */
export async function createReplay(
  webhook: string,
  input: ReplayInput,
): Promise<ActionResult<{ replay: Replay }>> {
  return await attempt(replayInput, input, async (valid) => ({
    replay: await api.createReplay(webhook, valid),
  }));
}

/** @param replay uuid */
export async function cancelReplay(replay: string): Promise<ActionResult<{ replay: Replay }>> {
  return await attempt(z.guid(), replay, async (valid) => ({
    replay: await api.cancelReplay(valid),
  }));
}
