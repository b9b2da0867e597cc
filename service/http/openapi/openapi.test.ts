import { createHmac } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelope, unauthenticatedBody } from '#lib/contract/error-envelope.ts';
import {
  eventPayloads,
  eventTypes,
  testEventPayload,
  testEventType,
} from '#lib/contract/events/events.ts';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { publicRoutes } from '#lib/contract/routes.ts';
import { formatDuration } from '#lib/time.ts';
import { retryWaitsMs } from '../../domain/deliveries/retry-schedule.ts';
import { requestRotation } from '../../domain/rotation-requests/request-rotation.ts';
import { dataOf } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

type Header = { name: string; description: string; example: unknown };
type Media = { example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = {
  $ref?: string;
  headers: Record<string, { $ref: string }>;
  content?: { 'application/json': Media };
};
type Operation = {
  operationId: string;
  'x-required-scope'?: string;
  security?: Record<string, string[]>[];
  requestBody?: { content: { 'application/json': Media } };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation & { description: string; parameters: Header[] } }>;
  components: {
    headers: Record<string, { required?: boolean }>;
    responses: Record<string, Response>;
    schemas: Record<string, unknown>;
  };
};

const { ctx, api, account, caller } = useApi();
let text: string;
let document: Document;

beforeAll(async () => {
  const response = await api.call('GET', '/api/v1/openapi.json');
  expect(response.status).toBe(200);
  text = response.text;
  document = response.body as Document;
});

const routes = publicRoutes.map((route) => [route.method, route.path, route] as const);

test('the document needs no key, and clients revalidate it before they use it again', async () => {
  const response = await api.call('GET', '/api/v1/openapi.json');
  expect(response.headers.get('Content-Type')).toBe('application/json');
  expect(response.headers.get('Cache-Control')).toBe('no-cache');
  expect(document.openapi).toBe('3.1.0');
});

test('an OpenAPI linter finds nothing to say about the document', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, config });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

test('the document has every public operation once, with its scope, and no other operation', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operation.operationId,
      operation.security,
      operation['x-required-scope'],
    ]),
  );
  const declared = publicRoutes.map(({ method, path, name, access }) => [
    `${method} ${path}`,
    name,
    [{ apiKey: [] }],
    typeof access === 'object' ? access.scope : undefined,
  ]);
  expect(described).toHaveLength(declared.length);
  expect(described).toEqual(expect.arrayContaining(declared));
});

describe.each(routes)('%s %s', (_method, _path, route) => {
  test('has examples that its schemas accept', () => {
    const { requestBody, responses } = operationOf(route);
    expect(requestBody === undefined).toBe(route.body === undefined);
    if (route.body) expect(() => route.body?.parse(exampleOf(requestBody))).not.toThrow();

    for (const [status, schema] of Object.entries(route.response)) {
      const example = exampleOf(responses[status]);
      if (schema) expect(schema.parse(example)).toEqual(example);
      else expect(example).toBeUndefined();
    }
    const refusals = Object.keys(responses).filter((status) => Number(status) >= 400);
    expect(refusals.length).toBeGreaterThan(5);
    for (const status of refusals) {
      const { content } = responseOf(route, Number(status));
      const { example, examples = {} } = content?.['application/json'] ?? {};
      const values = [example, ...Object.values(examples).map(({ value }) => value)];
      const given = values.filter((value) => value !== undefined);
      expect(given.length).toBeGreaterThan(0);
      for (const value of given) {
        expect(isMissingKey(value) ? value : errorEnvelope.parse(value)).toEqual(value);
      }
    }
  });
});

test.each(
  publicRoutes.filter(({ stateRefusal }) => stateRefusal).map((route) => [route.name, route]),
)(
  '%s is refused because of a resource’s state with the described message',
  async (_name, route) => {
    const refused = await refusedCalls[route.name]?.();
    expect(refused?.body).toMatchObject(exampleOf(operationOf(route).responses['422']) as object);
  },
);

test('the payload of every event type is described, with a matching sample', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes, testEventType]);
  for (const [type, payload] of [...eventPayloads, [testEventType, testEventPayload] as const]) {
    const sample = exampleOf(document.webhooks[type]?.post.requestBody);
    expect(payload.parse(sample)).toEqual(sample);
    expect(sample).toMatchObject({ type });
  }
});

test('every event states how often and when its delivery is retried', () => {
  for (const type of eventTypes) {
    for (const wait of retryWaitsMs) {
      expect(document.webhooks[type]?.post.description).toContain(formatDuration(wait / 1000));
    }
  }
});

test('the signature in each sample of a delivery is right', () => {
  for (const { post } of Object.values(document.webhooks)) {
    const sent = new Map(post.parameters.map(({ name, example }) => [name, String(example)]));
    const told = post.parameters.map(({ description }) => description).join(' ');
    const secret = /whsec_([0-9A-Za-z+/=]{40,})/.exec(told)?.[1] ?? '';
    const signed = [sent.get('webhook-id'), sent.get('webhook-timestamp')];
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update([...signed, JSON.stringify(exampleOf(post.requestBody))].join('.'))
      .digest('base64');
    expect(sent.get('webhook-signature')).toBe(`v1,${signature}`);
  }
});

test('parts that several operations share are written once', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['ApiKey', 'AuditEntry', 'Conversation', 'Error', 'Message', 'Webhook']),
  );
  expect(text).not.toContain('$defs');
  expect(text).toContain('{"$ref":"#/components/schemas/ApiKey"}');
});

function operationOf({ path, method }: RouteDefinition): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  return operation;
}

function responseOf(route: RouteDefinition, status: number): Response {
  const response = operationOf(route).responses[status];
  const shared = document.components.responses[response?.$ref?.split('/').at(-1) ?? ''];
  const found = shared ?? response;
  if (!found) throw new Error(`${route.name} is described without ${status}`);
  return found;
}

function exampleOf(part: { content?: { 'application/json'?: Media } } | undefined): unknown {
  return part?.content?.['application/json']?.example;
}

function isMissingKey(body: unknown): boolean {
  return unauthenticatedBody.strict().safeParse(body).success;
}

/** For each operation that a resource's state can refuse, such a call of it. */
const refusedCalls: Readonly<Record<string, () => Promise<ApiResponse>>> = {
  async closeConversation() {
    const made = await caller.post('/api/v1/conversations', { subject: 'Where is it?' });
    return await callTwice(`/api/v1/conversations/${dataOf(made).id}/close`);
  },
  async cancelReplay() {
    const { id } = await account.webhook();
    const since = ctx.clock.now().toISOString();
    ctx.clock.advance(1000);
    const body = { since, status: 'all' };
    const { uuid } = dataOf(await caller.post(`/api/v1/webhooks/${id}/replays`, body));
    return await callTwice(`/api/v1/replays/${String(uuid)}/cancel`);
  },
  async retryDelivery() {
    const webhook = `/api/v1/webhooks/${(await account.webhook()).id}`;
    const { id } = dataOf(await caller.post(`${webhook}/test`));
    await caller.patch(webhook, { is_active: false });
    return await caller.post(`/api/v1/deliveries/${id}/retry`);
  },
  async endToken() {
    const path = `/api/v1/api-keys/${(await account.key()).id}`;
    const { tokens } = dataOf<{ tokens: { id: number }[] }>(await caller.get(path));
    return await caller.delete(`${path}/tokens/${tokens[0]?.id}`);
  },
  pauseApiKey: async () => await callOfRevokedKey('pause'),
  resumeApiKey: async () => await callOfRevokedKey('resume'),
  async rotateCallingApiKey() {
    const key = await account.key({ mayRotateItself: true });
    const { personId: member } = await account.member('owner');
    const supporter = await account.member('support');
    await requestRotation(ctx, supporter, { apiKey: key.uuid, member, reason: 'leaked' });
    return await key.post('/api/v1/api-key/rotate');
  },
};

async function callOfRevokedKey(act: string): Promise<ApiResponse> {
  const path = `/api/v1/api-keys/${(await account.key()).id}`;
  await caller.delete(path);
  return await caller.post(`${path}/${act}`);
}

async function callTwice(path: string): Promise<ApiResponse> {
  await caller.post(path);
  return await caller.post(path);
}
