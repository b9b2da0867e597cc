import { describe, expect, test } from 'vitest';
import { makeWebhook } from '../../testing/make-webhook.ts';
import { selectWebhooks, type WebhookView } from './webhook-view.ts';

const everything: WebhookView = { q: '', status: 'any', event: 'any', sort: 'name' };

const now = new Date(at(20));

const list = [
  makeWebhook({ id: 1, name: 'Order notifier 10', failure_count: 3, last_triggered_at: at(10) }),
  makeWebhook({ id: 2, name: 'order notifier 9', status: 'paused', last_triggered_at: null }),
  makeWebhook({
    id: 3,
    name: 'Archive',
    status: 'deactivated',
    failure_count: 1,
    last_triggered_at: at(5),
  }),
  makeWebhook({
    id: 4,
    name: 'Slack digest',
    status: 'pending_setup',
    url: 'https://digest.example.dev/slack',
    events: ['conversation.closed'],
    last_triggered_at: null,
  }),
  makeWebhook({ id: 5, name: 'Relay', failure_count: 1, last_triggered_at: at(19) }),
];

function shown(view: Partial<WebhookView>): number[] {
  return selectWebhooks(list, { ...everything, ...view }, now).map(({ id }) => id);
}

describe('selectWebhooks', () => {
  test.each<[string, Partial<WebhookView>, number[]]>([
    ['names in natural order, regardless of their case', {}, [3, 2, 1, 5, 4]],
    ['names backwards', { sort: '-name' }, [4, 5, 1, 2, 3]],
    ['by a part of the name', { q: ' ORDER ' }, [2, 1]],
    ['by a part of the URL', { q: 'digest.example' }, [4]],
    ['parts of the name', { q: '10 order' }, [1]],
    ['by the id', { q: '#3' }, [3]],
    ['by the uuid', { q: makeWebhook({ id: 2 }).uuid }, [2]],
    ['one status', { status: 'paused' }, [2]],
    ['those that fail', { status: 'failing' }, [1]],
    ['those that are active, whether they fail or not', { status: 'active' }, [1, 5]],
    ['one event', { event: 'conversation.closed' }, [4]],
    ['what needs someone first', { sort: 'status' }, [3, 1, 4, 5, 2]],
    ['most failures first', { sort: '-failures' }, [1, 3, 5, 2, 4]],
    ['the latest triggered first, never triggered last', { sort: '-triggered' }, [5, 1, 3, 2, 4]],
    ['the earliest triggered first, never triggered last', { sort: 'triggered' }, [3, 1, 5, 2, 4]],
  ])('%s', (_, view, ids) => {
    expect(shown(view)).toEqual(ids);
  });
});

function at(minute: number): string {
  return `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000+00:00`;
}
