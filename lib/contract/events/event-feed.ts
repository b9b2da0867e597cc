import { z } from 'zod';
import { defineRoute } from '../route.ts';

/** How many streams an account can have open at the same time. */
export const maxStreams = 5;

export const feedMediaType = 'text/event-stream';

/** The data of a message of the stream, as JSON: what a delivery would send. */
export type StreamedDelivery = { headers: Record<string, string>; body: string };

export const streamEvents = defineRoute({
  name: 'streamEvents',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/feed',
  summary: 'Receive the events of a webhook over a stream',
  description:
    'For receivers without a public address. The response does not end: it has a server-sent event for each event that the webhook subscribes to and its filter lets through, whether the webhook is active or not. `data` is JSON with `headers` and `body`, exactly as a delivery would send them, without static headers. So the receiver verifies the signature as always, with the signing secret of the webhook. Events that the key may not read are left out, and so are test events and replays. The stream ends when the token is no longer valid or the webhook is deleted, and can end at any time: connect again with the last `id` in the header `Last-Event-ID` or in `cursor`, and the stream continues after it. Every event arrives at least once; recognize a repeat by its `webhook-id`. An account can have 5 open streams. Opening and closing a stream is recorded in the audit log.',
  access: { scope: 'events:listen', act: 'payloads.read' },
  query: z.strictObject({
    cursor: z
      .string({ error: 'Use the id of an event of this stream.' })
      .max(2000, 'Use at most 2000 characters.')
      .optional()
      .describe(
        'The `id` of the last event that you have. Default: `Last-Event-ID`, and without that header only events from now on.',
      ),
  }),
  streams: {
    [feedMediaType]:
      'id: Zm9sbG93L2V2ZW50czo3MTI6NzEyOg\ndata: {"headers":{"webhook-id":"msg_1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b",…},"body":"{\\"type\\":\\"message.created\\",…}"}\n\n',
  },
  isEndless: true,
  response: { 200: null },
});
