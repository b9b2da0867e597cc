type Json = Record<string, unknown>;

/** Whether a schema describes what clients send, or what the service sends. */
type Direction = 'input' | 'output';

/** Formats that JSON Schema 2020-12 or OpenAPI define. Tools do not know others. */
const knownFormats = new Set(
  'date-time date time duration email hostname ipv4 ipv6 uri uuid int32 int64 float double'.split(
    ' ',
  ),
);

/**
 * What an OpenAPI document lacks for readers and client generators: descriptions, and schemas with
 * the same meaning in every tool. Each gap is a sentence that begins with its place.
 */
export function findGaps(document: Json): string[] {
  const walk = new Walk(document);
  const { paths, webhooks, components } = document;
  walk.expectDescription('info', document['info']);
  for (const group of ['servers', 'tags']) {
    for (const [index, part] of entriesOf(document[group])) {
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
  readonly #document: Json;
  readonly #visited = new Set<string>();

  constructor(document: Json) {
    this.#document = document;
  }

  visitOperation(at: string, operation: Json, bodyDirection: Direction): void {
    this.expectDescription(at, operation);
    if (!operation['summary']) this.gaps.add(`${at} has no summary`);
    for (const [, part] of entriesOf(operation['parameters'])) {
      const parameter = this.#resolve(part);
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
      this.#visitResponse(`${at} ${status}`, this.#resolve(part));
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
      const header = this.#resolve(part);
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
    for (const [name, property] of entriesOf(schema['properties'])) {
      this.expectDescription(`${at}.${name}`, property);
      this.#visitSchema(`${at}.${name}`, property, direction);
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
    this.#visitSchema($ref.split('/').at(-1) ?? $ref, this.#resolve({ $ref }), direction);
  }

  #resolve(part: Json): Json {
    if (typeof part['$ref'] !== 'string') return part;
    const [, ...names] = part['$ref'].split('/');
    let found: unknown = this.#document;
    for (const name of names) found = (found as Json)[name];
    return found as Json;
  }
}

function entriesOf(value: unknown): [string, Json][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value as Record<string, Json>)
    : [];
}
