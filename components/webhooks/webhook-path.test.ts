import { expect, test } from 'vitest';
import { webhookPath, webhookTabOf, webhookTabs } from './webhook-path.ts';

const uuid = '0198c2a4-0000-7000-8000-000000000007';

test('each tab has a path that ends with its name', () => {
  for (const tab of webhookTabs) {
    expect(webhookTabOf(`/a/acme/${webhookPath({ uuid }, tab)}`)).toBe(tab);
    expect(webhookTabOf(`/a/acme/${webhookPath({ uuid }, tab)}?status=failed#top`)).toBe(tab);
  }
  expect(webhookPath({ uuid })).toBe(`settings/webhooks/${uuid}`);
  expect(webhookPath({ uuid }, 'deliveries')).toBe(`settings/webhooks/${uuid}/deliveries`);
});
