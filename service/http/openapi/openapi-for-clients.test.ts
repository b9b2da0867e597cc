import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publicRoutes } from '#lib/contract/routes.ts';
import { sampleSecret } from '#lib/contract/samples.ts';
import { openApiDocument } from './openapi.ts';

type Media = { schema: { properties?: { data?: object } }; example: { data: object } };
type Body = { content?: { 'application/json'?: Media } };
type Attempt = { request: { headers: Record<string, string>; body: string } };
type Operation = { requestBody?: Body; responses: Record<string, Body> };

/** The document as a client reads it. */
const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { operationId: string } }>;
  components: { schemas: Record<string, object> };
};

describe('the example of a response shows', () => {
  test.each([
    'createWebhook',
    'updateWebhook',
    'createConversation',
    'createMessage',
    'updateApiKey',
  ])('what the example of the request of %s asks for', (name) => {
    expect(responseOf(name)).toMatchObject(requestOf(name) ?? {});
  });

  test('that nobody was shown the secret of a new webhook', () => {
    expect(responseOf('createWebhook')).toMatchObject({
      secret: { was_shown: false, previous_valid_until: null },
    });
  });

  test('a test event that waits for its first attempt', () => {
    expect(responseOf('testWebhook')).toMatchObject({
      event: requestOf('testWebhook'),
      attempt_count: 0,
      last_attempt_at: null,
      last_status_code: null,
    });
  });

  test('a closed conversation, and replays that just began or were cancelled', () => {
    expect(responseOf('closeConversation')).toMatchObject({ status: 'closed' });
    expect(responseOf('createReplay')).toMatchObject({ state: 'running', done: 0 });
    expect(responseOf('cancelReplay')).toMatchObject({ state: 'cancelled' });
  });

  test('that a new key lacks what its request left out', () => {
    expect(responseOf('createApiKey')).toMatchObject({
      description: null,
      tags: [],
      responsible: null,
      rate_limit_per_minute: null,
    });
  });

  test('an attempt as it is sent, with a signature that can be verified', () => {
    const { attempts } = responseOf('getDelivery') as { attempts: Attempt[] };
    expect(attempts).toHaveLength(1);
    for (const { request } of attempts) {
      expect(Object.keys(request.headers)).toEqual(
        expect.arrayContaining(['User-Agent', 'Content-Type']),
      );
      const id = request.headers['webhook-id'];
      const seconds = request.headers['webhook-timestamp'];
      const key = Buffer.from(sampleSecret.slice('whsec_'.length), 'base64');
      const signed = `${id}.${seconds}.${request.body}`;
      const signature = createHmac('sha256', key).update(signed).digest('base64');
      expect(request.headers['webhook-signature']).toBe(`v1,${signature}`);
    }
  });
});

test('what an operation returns has a name, for the types that are generated from the document', () => {
  const unnamed = publicRoutes.filter(({ name }) => {
    const { properties } = jsonOf(successOf(name))?.schema ?? {};
    return properties?.data && 'properties' in properties.data;
  });
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

test('the names of events have the form that names of types and functions have', () => {
  const { webhooks, components } = document;
  const names = Object.values(webhooks).map(({ post }) => post.operationId);
  expect(names).toContain('apiKeyExpiring');
  expect(components.schemas).toHaveProperty('ApiKeyExpiringEvent');
  expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  expect(Object.keys(components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual(
    [],
  );
});

function operation(name: string): Operation {
  const route = publicRoutes.find((each) => each.name === name);
  const found = document.paths[route?.path ?? '']?.[route?.method.toLowerCase() ?? ''];
  if (!found) throw new Error(`${name} is not described`);
  return found;
}

function successOf(name: string): Body | undefined {
  const { responses } = operation(name);
  return responses['202'] ?? responses['201'] ?? responses['200'];
}

function jsonOf(body: Body | undefined): Media | undefined {
  return body?.content?.['application/json'];
}

function requestOf(name: string): object | undefined {
  return jsonOf(operation(name).requestBody)?.example;
}

function responseOf(name: string): object | undefined {
  return jsonOf(successOf(name))?.example.data;
}
