import { z } from 'zod';
import { id, success, timestamp, uuid, noFields } from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';
import { sampleReplay } from '../samples.ts';

const statusFilter = z
  .enum(['failed', 'all', 'pending'], { error: 'Use failed, all or pending.' })
  .describe(
    'Which events to send again. `failed`: those whose delivery failed or was cancelled, or that had no delivery to this webhook. `all`: delivered ones as well. `pending`: only deliveries that wait for a retry, such as after an outage.',
  );

const trueOrFalse = z.boolean({ error: 'Use true or false.' });

/** A window of past events that is sent to a webhook again. */
export const replay = z
  .object({
    uuid: uuid.describe('UUID of the replay. Its deliveries carry it as `webhook-replay`.'),
    webhook_id: id.describe('Integer id of the webhook that the events are sent to.'),
    since: timestamp.describe('Start of the window.'),
    until: timestamp.describe('End of the window.'),
    status_filter: statusFilter,
    include_pending: trueOrFalse.describe(
      'Whether deliveries that waited for a retry are sent as well.',
    ),
    include_earlier: trueOrFalse.describe(
      'Whether events from before the webhook was created are sent as well.',
    ),
    state: z
      .enum(['running', 'done', 'cancelled'])
      .describe(
        '`running`: events are being queued, or wait because the webhook is inactive or has a thousand due deliveries. `done`: all are queued. `cancelled`: it was stopped.',
      ),
    total: z.int().min(0).describe('How many events it covered when it was created.'),
    done: z
      .int()
      .min(0)
      .describe('How many of them are queued so far, or left out by the filter of the webhook.'),
    waiting: z
      .int()
      .min(0)
      .describe(
        'How many of the queued events have not been sent yet: the replay has ended once `state` is `done` and this is 0.',
      ),
    created_at: timestamp.describe('When the replay was created.'),
  })
  .meta({
    id: 'Replay',
    description: 'A window of past events that is sent to a webhook again.',
    examples: [sampleReplay],
  });

export type Replay = z.infer<typeof replay>;

export const createReplayInput = z
  .strictObject({
    since: instantField.describe('Start of the window.'),
    until: instantField
      .optional()
      .describe('End of the window, exclusive. Default: now. A time in the future counts as now.'),
    status: statusFilter,
    include_pending: trueOrFalse
      .default(false)
      .describe(
        'If true, deliveries that wait for a retry are sent now as well. The attempt is extra: their schedule continues if it fails, and they wait for their retry again if the replay is cancelled. Default: false.',
      ),
    include_earlier: trueOrFalse
      .default(false)
      .describe(
        'If true, events from before the webhook was created are sent as well, as long as they are still kept. Default: false.',
      ),
    dry_run: trueOrFalse
      .default(false)
      .describe(
        'If true, nothing is sent, and the response is 200 with the number of events; allowed for an inactive webhook as well. Default: false.',
      ),
  })
  .meta({
    id: 'CreateReplayInput',
    description: 'Which events to send again.',
    examples: [{ since: sampleReplay.since, until: sampleReplay.until, status: 'failed' }],
  });

const eventCount = z.int().min(0);

/** How many events of a window a replay would send, and how many of each kind there are. */
const replaySize = z
  .object({
    count: eventCount.describe('How many events would be sent.'),
    failed: eventCount.describe('How many events of the window failed or were cancelled.'),
    missed: eventCount.describe(
      'How many have no delivery, because the webhook was inactive or not subscribed.',
    ),
    delivered: eventCount.describe('How many were delivered.'),
    pending: eventCount.describe('How many wait for a retry.'),
    before_creation: eventCount.describe(
      'How many have no delivery, because they are from before the webhook was created.',
    ),
  })
  .meta({
    id: 'ReplayCount',
    description: 'The response to a dry run.',
    examples: [
      {
        count: sampleReplay.total,
        failed: 1372,
        missed: 40,
        delivered: 310,
        pending: 3,
        before_creation: 0,
      },
    ],
  });

/** A window of past events, and which of them to send. */
export type ReplayInput = Omit<z.input<typeof createReplayInput>, 'dry_run'>;

export type ReplaySize = z.infer<typeof replaySize>;

export const createReplay = defineRoute({
  name: 'createReplay',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/replays',
  summary: 'Send the events of a window again',
  description:
    'Sends the events of the types that the webhook subscribes to now, each with the same `webhook-id` as before and with `webhook-replay`. They are queued a thousand at a time, and only while fewer than a thousand deliveries to the webhook are due, so that new events do not wait for the whole replay. The replays of one webhook are queued one after the other. While the same replay (the same webhook and the same choice of events) is running, another is refused, and `details.replay` names the running one.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  inDashboard: true,
  body: createReplayInput,
  response: {
    200: success(replaySize),
    201: success(replay, { ...sampleReplay, done: 0, waiting: 0 }),
  },
});

export const getReplay = defineRoute({
  name: 'getReplay',
  method: 'GET',
  path: '/api/v1/replays/{replay}',
  summary: 'Get a replay and its progress',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  inDashboard: true,
  response: { 200: success(replay) },
});

export const cancelReplay = defineRoute({
  name: 'cancelReplay',
  method: 'POST',
  path: '/api/v1/replays/{replay}/cancel',
  summary: 'Cancel a replay',
  description:
    'Stops the replay: no more events are queued, and those that are queued but not sent yet are cancelled, or `delivered` as before if they had already arrived. Those that waited for a retry wait for it again. If nothing of a replay is left to send, the response is 422.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  inDashboard: true,
  body: noFields,
  stateRefusal: { replay: ['This replay has ended: nothing is waiting to be sent.'] },
  response: { 200: success(replay, { ...sampleReplay, state: 'cancelled', waiting: 0 }) },
});
