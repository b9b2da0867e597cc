import { z } from 'zod';
import { id, instant, success, timestamp, uuid } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleReplay } from './samples.ts';

const statusFilter = z
  .enum(['failed', 'all'], { error: 'Use failed or all.' })
  .describe(
    '`failed`: what failed, was cancelled, or was never delivered to this webhook. `all`: what was delivered as well. What is pending is left alone.',
  );

/** A window of past events that is sent to a webhook again. */
export const replay = z
  .object({
    uuid,
    webhook_id: id,
    since: timestamp,
    until: timestamp,
    status_filter: statusFilter,
    state: z
      .enum(['running', 'done', 'cancelled'])
      .describe('`done`: everything is queued. It waits while its webhook is inactive.'),
    total: z.int().min(0).describe('How many events it was about when it was made.'),
    done: z.int().min(0).describe('How many of them are queued so far.'),
    created_at: timestamp,
  })
  .meta({ id: 'Replay', examples: [sampleReplay] });

export type Replay = z.infer<typeof replay>;

export const createReplayInput = z
  .strictObject({
    since: instant.describe(
      'Events from this time on, as far as they are still kept; also those from before the webhook was made.',
    ),
    until: instant
      .optional()
      .describe('Events before this time; now if left out or in the future.'),
    status: statusFilter,
    dry_run: z
      .boolean({ error: 'Use true or false.' })
      .default(false)
      .describe('Only counts, and answers 200; allowed for an inactive webhook as well.'),
  })
  .meta({
    id: 'CreateReplayInput',
    examples: [{ since: sampleReplay.since, until: sampleReplay.until, status: 'failed' }],
  });

export const createReplay = defineRoute({
  name: 'createReplay',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/replays',
  summary: 'Send the events of a window again',
  description:
    'Those the webhook subscribes to now, with the same `webhook-id` as before and `webhook-replay` beside it. They are queued a thousand at a time and sent behind what is new. While the same replay is running (the same webhook, `since`, `until` and `status`) another is refused, and `details.replay` names the one that runs.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  body: createReplayInput,
  reply: {
    200: success(
      z
        .object({ count: z.int().min(0) })
        .meta({ id: 'ReplayCount', examples: [{ count: sampleReplay.total }] }),
    ),
    201: success(replay),
  },
});

export const getReplay = defineRoute({
  name: 'getReplay',
  method: 'GET',
  path: '/api/v1/replays/{replay}',
  summary: 'Get a replay and how far it is',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  reply: { 200: success(replay) },
});

export const cancelReplay = defineRoute({
  name: 'cancelReplay',
  method: 'POST',
  path: '/api/v1/replays/{replay}/cancel',
  summary: 'Cancel a replay',
  description: 'Queues no more, and cancels what it queued and what is not sent yet.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  stateRefusal: { replay: ['This replay is over: nothing of it waits to be sent.'] },
  reply: {
    200: success(replay.meta({ examples: [{ ...sampleReplay, state: 'cancelled' }] })),
  },
});
