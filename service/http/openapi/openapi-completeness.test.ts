import { describe, expect, test } from 'vitest';
import { keyTypes } from '#lib/contract/api-keys/key-types.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { loadConfig } from '../../config/load-config.ts';
import { findGaps } from '../../testing/http/openapi-gaps.ts';
import { openApiDocument } from './openapi.ts';

type Described = { description?: string };
type Document = {
  info: { description: string };
  paths: Record<
    string,
    Record<string, { parameters: (Described & { name?: string; required?: boolean })[] }>
  >;
  components: {
    responses: Record<string, Described>;
    schemas: Record<string, { required?: string[]; properties: Record<string, Described> }>;
  };
};

/** The document as a client reads it. */
const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;

/** The responses that operations reference, and the one that each operation describes itself. */
const errorCodes = [...Object.keys(document.components.responses), 'VALIDATION_ERROR'];

test('everything is described, no input has a default, and responses may gain fields', () => {
  expect(findGaps(document)).toEqual([]);
});

test('optional fields are not required', () => {
  const { schemas } = document.components;
  expect(schemas['CreateWebhookInput']?.required).toEqual(['name', 'url', 'events']);
  expect(schemas['CreateReplayInput']?.required).toEqual(['since', 'status']);
  expect(schemas['CreateApiKeyInput']?.required).toEqual(['name', 'type']);
  expect(schemas['TestWebhookInput']?.required).toBeUndefined();
  const parameters = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => operation.parameters),
  );
  const paging = parameters.filter(({ name }) => name === 'limit' || name === 'cursor');
  expect(paging.length).toBeGreaterThan(10);
  expect(paging.filter(({ required }) => required)).toEqual([]);
});

test('every text in an input states its maximum length, a format or a pattern', () => {
  const { schemas } = document.components;
  const inputs = Object.entries(schemas).filter(([name]) => /Input$|^Name$/.test(name));
  const texts = JSON.stringify([inputs, document.paths], (key, value: unknown) =>
    /^(?:examples?|responses|propertyNames|headers)$/.test(key) ? undefined : value,
  ).match(/\{[^{}]*"type":"string"[^{}]*\}/g);
  expect(texts?.length).toBeGreaterThan(20);
  const bounds = /"(?:maxLength|enum|const|format|pattern)":/;
  expect(texts?.filter((text) => !bounds.test(text))).toEqual([]);
});

test('values that a response lists can grow, those of an input cannot', () => {
  const { schemas } = document.components;
  const inInputs = ['EventType', 'KeyType', 'Scope'];
  const closed = Object.entries(schemas).filter(
    ([name, schema]) =>
      !name.endsWith('Input') &&
      !inInputs.includes(name) &&
      /(?<!"anyOf":\[\{"type":"string",)"enum":/.test(JSON.stringify(schema)),
  );
  expect(closed.map(([name]) => name)).toEqual([]);
  const types = { enum: expect.arrayContaining(['message.created']) };
  expect(schemas['EventType']).toMatchObject(types);
  expect(schemas['EventTypeInResponse']).toMatchObject({ anyOf: [types, { type: 'string' }] });
});

describe('the introduction', () => {
  const { description } = document.info;

  test.each([
    ['Keys, types and scopes', [...keyTypes, ...allScopes].map((word) => `\`${word}\``)],
    ['Errors', [...errorCodes, 'details', 'retry_after', 'Unauthenticated.']],
    ['Rate limits', ['RateLimit-Policy', '429', 'Retry-After']],
    ['Idempotency', ['Idempotency-Key', '24 hours', 'POST /api/v1/api-keys/{apiKey}/rotate']],
    ['Paging', ['limit', 'cursor', 'next_cursor', 'follow', 'follow_cursor']],
    ['Rotation', ['grace_period_seconds', '24 hours', 'never used', 'API-Key-Expires', 'dry_run']],
    ['Signatures', ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'whsec_', 'any port']],
  ])('explains: %s', (heading, words) => {
    const [, section = ''] = description.split(`\n## ${heading}\n`);
    const own = section.split('\n## ')[0];
    for (const word of words) expect(own).toContain(word);
  });

  test('names the default limits', () => {
    const config = loadConfig({ SECRET_KEY: Buffer.alloc(32).toString('base64') });
    expect(description).toContain(`${config.rateLimitPerMinute} calls a minute`);
    expect(description).toContain(`create ${config.creationsPerHour} keys and webhooks an hour`);
    expect(description).toContain(`${config.failedAuthPerMinute} failed authentications a minute`);
    expect(description).toContain(`${config.rotationGraceSeconds / 3600} hours`);
  });
});

test('the ports that a webhook can use are stated with its address', () => {
  for (const input of ['CreateWebhookInput', 'UpdateWebhookInput']) {
    expect(property(document.components, input, 'url').description).toContain(
      'any port except those of other services',
    );
  }
});

test('what a rotation does to an unconfirmed newest token is stated with the grace period', () => {
  const { description } = property(
    document.components,
    'RotateApiKeyInput',
    'grace_period_seconds',
  );
  expect(description).toMatch(/newest token is unconfirmed .* ends at once whatever you give here/);
});

function property({ schemas }: Document['components'], schema: string, name: string): Described {
  const found = schemas[schema]?.properties[name];
  if (!found) throw new Error(`${schema} has no property ${name}`);
  return found;
}
