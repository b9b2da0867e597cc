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
import { dataOf, itemsOf } from '../../testing/api.ts';
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

const { ctx, api, caller } = useApi({ config: { failedAuthPerMinute: 1000 } });
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
    const { path, provoke, refusedAt = path, refusedTo = caller.token } = await ownThing(route);
    await provoke(path);
    const refused = await api.call(route.method, refusedAt, { token: refusedTo });
    expect(refused.body).toEqual(exampleOf(operationOf(route).responses['422']));
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

type Thing = {
  /** The operation's path with the id of a new resource on which it can act. */
  path: string;
  /** Brings that resource into a state in which the operation is refused. */
  provoke: (path: string) => Promise<unknown>;
  /** The path at which the operation is refused because of a state, if it is not `path`. */
  refusedAt?: string;
  /** The token for which the operation is refused, if that depends on the key. */
  refusedTo?: string;
};

async function ownThing({ name, path, method }: RouteDefinition): Promise<Thing> {
  if (name === 'rotateCallingApiKey') return await keyThatRotatesItself(path);
  const post = async (at: string, body?: unknown) =>
    dataOf(await caller.post(`/api/v1${at}`, body));
  const actOnce = async (at: string) => await api.call(method, at, { token: caller.token });
  const hook = async () =>
    await post('/webhooks', {
      name: 'Hook',
      url: 'https://example.com/',
      events: ['message.created'],
    });
  const make: Record<
    string,
    () => Promise<[id: number | string | undefined, provoke?: Thing['provoke']]>
  > = {
    webhook: async () => [(await hook()).id],
    apiKey: async () => [(await post('/api-keys', { name: 'Key', type: 'full' })).id],
    conversation: async () => [
      (await post('/conversations', { subject: 'Where is it?' })).id,
      actOnce,
    ],
    event: async () => {
      await post(`/webhooks/${(await hook()).id}/test`, {});
      return [itemsOf(await caller.get('/api/v1/events'))[0]?.id];
    },
    delivery: async () => {
      const { id } = await hook();
      const pause = () => caller.patch(`/api/v1/webhooks/${id}`, { is_active: false });
      return [(await post(`/webhooks/${id}/test`, {})).id, pause];
    },
    replay: async () => {
      const since = ctx.clock.now().toISOString();
      ctx.clock.advance(1000);
      const body = { since, status: 'all' };
      const { uuid } = await post(`/webhooks/${(await hook()).id}/replays`, body);
      return [String(uuid), actOnce];
    },
  };
  const noun = /\{(\w+)\}/.exec(path)?.[1];
  if (noun === undefined) return { path, provoke: async () => undefined };
  const [id, provoke = async () => undefined] = (await make[noun]?.()) ?? [];
  if (id === undefined) throw new Error(`this test makes nothing for ${path}`);
  const own = path.replace(`{${noun}}`, String(id));
  if (path.endsWith('/previous-token')) await post(`/api-keys/${id}/rotate`, {});
  if (path.endsWith('{token}')) return await anOlderToken(own, Number(id));
  return { path: own, provoke };
}

/** A key that may rotate itself until its leak is reported. */
async function keyThatRotatesItself(path: string): Promise<Thing> {
  const account = await api.account();
  const { uuid: apiKey, token: refusedTo } = await account.key({ mayRotateItself: true });
  const { personId: member } = await account.member('owner');
  const supporter = await account.member('support');
  const report = () => requestRotation(ctx, supporter, { apiKey, member, reason: 'leaked' });
  return { path, provoke: report, refusedTo };
}

/** The token that a key had before its rotation, or, to provoke a refusal, its newest token. */
async function anOlderToken(path: string, apiKey: number): Promise<Thing> {
  await caller.post(`/api/v1/api-keys/${apiKey}/rotate`);
  const { tokens } = dataOf(await caller.get(`/api/v1/api-keys/${apiKey}`));
  const [newest, older] = tokens as { id: number }[];
  return {
    path: path.replace('{token}', String(older?.id)),
    refusedAt: path.replace('{token}', String(newest?.id)),
    provoke: async () => undefined,
  };
}
