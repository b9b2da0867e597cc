import 'server-only';
import type { z } from 'zod';
import * as contract from '../contract/deliveries/replays.ts';
import type { Replay, ReplaySize } from '../contract/deliveries/replays.ts';
import { request } from './client/client.ts';

/**
 * A window of past events, and which of them to send. `since` and `until` are timestamps as the API
 * writes them.
 */
export type ReplayInput = Omit<z.input<typeof contract.createReplayInput>, 'dry_run'>;

/**
 * How many events a replay to the webhook with this id or uuid would queue. Changes nothing, and
 * also works for an inactive webhook.
 * @throws ApiError VALIDATION_ERROR for a window that is empty
 */
export async function countReplay(webhook: string, input: ReplayInput): Promise<ReplaySize> {
  const { data } = await request(contract.createReplay, {
    params: { webhook },
    body: { ...input, dry_run: true },
  });
  if ('count' in data) return data;
  throw new Error('The service began a replay where it was asked to count.');
}

/**
 * Begins to send a window of events to the webhook with this id or uuid again.
 * @throws ApiError VALIDATION_ERROR for a window that is empty, and while the webhook is inactive
 */
export async function createReplay(webhook: string, input: ReplayInput): Promise<Replay> {
  const { data } = await request(contract.createReplay, { params: { webhook }, body: input });
  if ('uuid' in data) return data;
  throw new Error('The service counted where it was asked to begin a replay.');
}

/**
 * The progress of the replay with this uuid.
 * @throws ApiError NOT_FOUND for another account's as well
 */
export async function getReplay(replay: string): Promise<Replay> {
  return (await request(contract.getReplay, { params: { replay } })).data;
}

/**
 * Stops queueing events of the replay, and cancels those that are queued but not sent yet.
 * @throws ApiError VALIDATION_ERROR if nothing of it is left to send
 */
export async function cancelReplay(replay: string): Promise<Replay> {
  return (await request(contract.cancelReplay, { params: { replay }, body: {} })).data;
}
