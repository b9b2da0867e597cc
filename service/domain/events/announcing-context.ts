import type { Context } from '../../context.ts';

/** What a verb uses that announces something: it publishes an event, and sends emails. */
export type AnnouncingContext = Pick<
  Context,
  'db' | 'clock' | 'log' | 'laneNotifier' | 'mail' | 'config' | 'tracing'
>;
