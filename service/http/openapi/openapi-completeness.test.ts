import { describe, expect, test } from 'vitest';
import { keyTypes } from '#lib/contract/api-keys/key-types.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { loadConfig } from '../../config/load-config.ts';
import { openApiDocument } from './openapi.ts';

type Json = Record<string, unknown>;
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
const whole: Json = document;

/** The responses that operations reference, and the one that each operation describes itself. */
const errorCodes = [...Object.keys(document.components.responses), 'VALIDATION_ERROR'];

test('everything is described, no input has a default, and responses may gain fields', () => {
  expect(findGaps()).toEqual([]);
});

test('optional fields are not required', () => {
  const { schemas } = document.components;
  expect(schemas['CreateWebhookInput']?.required).toEqual(['name', 'url']);
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
  expect(description).toMatch(
    /newest token is unconfirmed .* ends immediately regardless of this value/,
  );
});

function property({ schemas }: Document['components'], schema: string, name: string): Described {
  const found = schemas[schema]?.properties[name];
  if (!found) throw new Error(`${schema} has no property ${name}`);
  return found;
}

/** Whether a schema describes what clients send, or what the service sends. */
type Direction = 'input' | 'output';

/** Formats that JSON Schema 2020-12 or OpenAPI define. Tools do not know others. */
const knownFormats = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uuid int32 int64 float double'.split(
    ' ',
  ),
);

/**
 * What the document lacks for readers and client generators: descriptions, and schemas with
 * the same meaning in every tool. Each gap is a sentence that begins with its place.
 */
function findGaps(): string[] {
  const walk = new Walk();
  const { info, paths, webhooks, components } = whole;
  walk.expectDescription('info', info);
  for (const group of ['servers', 'tags']) {
    for (const [index, part] of entriesOf(whole[group])) {
      walk.expectDescription(`${group} ${index}`, part);
    }
  }
  for (const group of Object.values(components as Json)) {
    for (const [name, part] of entriesOf(group)) walk.expectDescription(name, part);
  }
  for (const [path, item] of entriesOf(paths)) {
    for (const [method, operation] of entriesOf(item)) {
      walk.visitOperation(`${method} ${path}`, operation, 'input');
    }
  }
  for (const [name, item] of entriesOf(webhooks)) {
    for (const [, operation] of entriesOf(item)) walk.visitOperation(name, operation, 'output');
  }
  return [...walk.gaps];
}

class Walk {
  readonly gaps = new Set<string>();
  readonly #visited = new Set<string>();

  visitOperation(at: string, operation: Json, bodyDirection: Direction): void {
    this.expectDescription(at, operation);
    if (!operation['summary']) this.gaps.add(`${at} has no summary`);
    for (const [, part] of entriesOf(operation['parameters'])) {
      const parameter = resolve(part);
      const place = `${at} parameter ${String(parameter['name'])}`;
      this.expectDescription(place, parameter);
      this.#visitSchema(place, parameter['schema'], 'input');
    }
    const body = operation['requestBody'] as Json | undefined;
    if (body) {
      this.expectDescription(`${at} body`, body);
      this.#visitContent(`${at} body`, body, bodyDirection);
    }
    for (const [status, part] of entriesOf(operation['responses'])) {
      this.#visitResponse(`${at} ${status}`, resolve(part));
    }
  }

  expectDescription(at: string, part: unknown): void {
    const { description } = part as { description?: unknown };
    if (typeof description === 'string' && description.trim() !== '') return;
    this.gaps.add(`${at} has no description`);
  }

  #visitResponse(at: string, response: Json): void {
    this.expectDescription(at, response);
    for (const [name, part] of entriesOf(response['headers'])) {
      const header = resolve(part);
      this.expectDescription(`${at} header ${name}`, header);
      this.#visitSchema(`${at} header ${name}`, header['schema'], 'output');
    }
    this.#visitContent(at, response, 'output');
  }

  #visitContent(at: string, part: Json, direction: Direction): void {
    for (const [, media] of entriesOf(part['content'])) {
      this.#visitSchema(at, media['schema'], direction);
    }
  }

  #visitSchema(at: string, value: unknown, direction: Direction): void {
    if (typeof value !== 'object' || value === null) return;
    const schema = value as Json;
    this.#visitReference(schema['$ref'], direction);
    const { format } = schema;
    if (typeof format === 'string' && !knownFormats.has(format)) {
      this.gaps.add(`${at} has the format ${format}, which is no standard one`);
    }
    if (direction === 'input' && 'default' in schema) this.gaps.add(`${at} has a default`);
    if (direction === 'output' && schema['additionalProperties'] === false) {
      this.gaps.add(`${at} refuses fields that are added later`);
    }
    for (const [name, field] of entriesOf(schema['properties'])) {
      this.expectDescription(`${at}.${name}`, field);
      this.#visitSchema(`${at}.${name}`, field, direction);
    }
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      for (const [, option] of entriesOf(schema[keyword])) this.#visitSchema(at, option, direction);
    }
    for (const keyword of ['items', 'additionalProperties', 'propertyNames']) {
      this.#visitSchema(`${at} ${keyword}`, schema[keyword], direction);
    }
  }

  #visitReference($ref: unknown, direction: Direction): void {
    if (typeof $ref !== 'string' || this.#visited.has(`${direction} ${$ref}`)) return;
    this.#visited.add(`${direction} ${$ref}`);
    this.#visitSchema($ref.split('/').at(-1) ?? $ref, resolve({ $ref }), direction);
  }
}

function resolve(part: Json): Json {
  if (typeof part['$ref'] !== 'string') return part;
  const [, ...names] = part['$ref'].split('/');
  let found: unknown = whole;
  for (const name of names) found = (found as Json)[name];
  return found as Json;
}

function entriesOf(value: unknown): [string, Json][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value as Record<string, Json>)
    : [];
}
