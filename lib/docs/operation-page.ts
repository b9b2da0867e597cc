import type {
  ApiDocument,
  DocumentedResponse,
  Operation,
  Parameter,
  Schema,
} from './api-document.ts';
import { resolve } from './api-document.ts';
import answersFile from './answers.json' with { type: 'json' };
import { type SampleCall, type SampleLanguage, sampleLanguages, sampleOf } from './samples.ts';
import { keysOf } from '../object-keys.ts';

/** A parameter or a field, with what it accepts or contains. */
export type Field = {
  name: string;
  type: string;
  /** Where it is sent; null for a field of a response. */
  place: 'path' | 'query' | 'header' | 'body' | null;
  isOptional: boolean;
  /** In Markdown. */
  description: string;
  limits: readonly { label: string; value: string }[];
};

/** The page of an operation. */
export type OperationPage = {
  name: string;
  title: string;
  group: string;
  method: string;
  path: string;
  /** In Markdown. */
  description: string;
  scope: string | null;
  repeats: string | null;
  parameters: readonly Field[];
  response: { status: string; fields: readonly Field[] };
  errors: readonly { status: string; code: string; description: string }[];
  samples: Record<SampleLanguage, string>;
  answer: { status: number; body: string };
  error: { status: string; body: string } | null;
  /** The input of the samples. */
  call: SampleCall;
};

/** A call that a service responded to, and its response; tokens and secrets are shortened. */
export type RecordedAnswer = Omit<SampleCall, 'method' | 'path'> & {
  status: number;
  answer: unknown;
};

/** By the name of the operation. `npm run docs:answers` writes them. */
const answers: Record<string, RecordedAnswer> = answersFile;

/** Every operation of the document, in its order. */
export function operationPages(document: ApiDocument, baseUrl: string): OperationPage[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      pageOf(document, { method: method.toUpperCase(), path, operation, baseUrl }),
    ),
  );
}

function pageOf(
  document: ApiDocument,
  given: { method: string; path: string; operation: Operation; baseUrl: string },
): OperationPage {
  const { method, path, operation, baseUrl } = given;
  const { operationId: name, requestBody, responses } = operation;
  const recorded = answers[name];
  if (!recorded) throw new Error(`no answer of ${name} is recorded: npm run docs:answers`);
  const { status, answer, ...input } = recorded;
  const parameters = operation.parameters.map((one) => resolve<Parameter>(document, one));
  const body = requestBody?.content['application/json']?.schema;
  const successes = Object.entries(responses).filter(([code]) => code.startsWith('2'));
  const [successStatus, success] = successes.find(([code]) => code === String(status)) ?? [];
  const content = success && resolve<DocumentedResponse>(document, success).content;
  const isText = content !== undefined && !content['application/json'];
  const call = { method, path, ...input, isText };
  return {
    name,
    title: operation.summary,
    group: operation.tags[0],
    method,
    path,
    description: operation.description,
    scope: operation['x-required-scope'] ?? null,
    repeats: repeatsOf(operation),
    parameters: [
      ...parameters.map((one) => ({
        ...fieldOf(document, one.schema, {
          name: one.name,
          place: one.in,
          isOptional: one.required !== true,
        }),
        description: one.description ?? '',
      })),
      ...(body ? fieldsOf(document, body, { place: 'body', marksOptional: true }) : []),
    ],
    response: {
      status: successStatus ?? String(status),
      fields: content?.['application/json']
        ? fieldsOf(document, content['application/json'].schema, {
            place: null,
            marksOptional: false,
          })
        : [],
    },
    errors: errorsOf(document, responses),
    samples: Object.fromEntries(
      keysOf(sampleLanguages).map((language) => [language, sampleOf(language, call, baseUrl)]),
    ) as Record<SampleLanguage, string>,
    answer: { status, body: answer === null ? '' : textOf(answer) },
    error: exampleErrorOf(document, responses),
    call,
  };
}

function textOf(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2);
}

function repeatsOf({ parameters }: Operation): string | null {
  const names = parameters.map((one) => ('$ref' in one ? one.$ref.split('/').at(-1) : one.name));
  if (names.includes('IdempotencyKey')) {
    return 'With the same `Idempotency-Key`, the request is carried out once and gets the same response.';
  }
  if (names.includes('IdempotencyKeyOfSecret')) {
    return 'With the same `Idempotency-Key`, a lost token or secret that was never used is replaced.';
  }
  return null;
}

function errorsOf(
  document: ApiDocument,
  responses: Operation['responses'],
): OperationPage['errors'] {
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, response]) => {
      const { description, content } = resolve<DocumentedResponse>(document, response);
      const { example } = content?.['application/json'] ?? {};
      return { status, code: codeOf(example) ?? codeOfStatus(response), description };
    });
}

function codeOf(example: unknown): string | undefined {
  return (example as { error?: { code?: string } } | undefined)?.error?.code;
}

/** The name of a shared response is the code of its error. */
function codeOfStatus(response: DocumentedResponse | { $ref: string }): string {
  return '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : '';
}

function exampleErrorOf(
  document: ApiDocument,
  responses: Operation['responses'],
): OperationPage['error'] {
  for (const status of ['422', '404', '403']) {
    const response = responses[status];
    if (!response) continue;
    const { example } =
      resolve<DocumentedResponse>(document, response).content?.['application/json'] ?? {};
    if (example !== undefined) return { status, body: textOf(example) };
  }
  return null;
}

type FieldOptions = {
  place: Field['place'];
  marksOptional: boolean;
  /** The name of the field around them, with a dot. */
  prefix?: string;
};

/** How deep fields of fields are listed: `data.tokens[].last_four`. */
const maxDepth = 3;

/** The fields of an object, those of objects in it after it. The envelope `success` says nothing. */
export function fieldsOf(document: ApiDocument, schema: Schema, options: FieldOptions): Field[] {
  const { place, marksOptional, prefix = '' } = options;
  const { properties = {}, required = [] } = resolve<Schema>(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    if (prefix === '' && name === 'success') return [];
    const isEnvelope = prefix === '' && name === 'data';
    const full = prefix + name;
    const isOptional = marksOptional && !required.includes(name);
    const field = fieldOf(document, property, { name: full, place, isOptional });
    const { inside, suffix } = insideOf(document, property);
    const isDeep = full.split('.').length >= maxDepth;
    return [
      ...(isEnvelope && inside ? [] : [field]),
      ...(isDeep || inside === null
        ? []
        : fieldsOf(document, inside, { ...options, prefix: `${full}${suffix}.` })),
    ];
  });
}

/** The object in a field: itself, the one beside null, or that of each item of a list. */
function insideOf(document: ApiDocument, given: Schema): { inside: Schema | null; suffix: string } {
  const schema = resolve<Schema>(document, given);
  if (schema.properties) return { inside: schema, suffix: '' };
  if (schema.items) return { inside: insideOf(document, schema.items).inside, suffix: '[]' };
  const others = schema.anyOf?.map((one) => resolve<Schema>(document, one)) ?? [];
  const [only, ...more] = others.filter(({ type }) => type !== 'null');
  return only && more.length === 0 ? insideOf(document, only) : { inside: null, suffix: '' };
}

function fieldOf(
  document: ApiDocument,
  given: Schema,
  about: Pick<Field, 'name' | 'place' | 'isOptional'>,
): Field {
  const schema = resolve<Schema>(document, given);
  return {
    ...about,
    type: typeOf(document, schema),
    description: schema.description ?? '',
    limits: limitsOf(document, schema),
  };
}

function typeOf(document: ApiDocument, given: Schema): string {
  const schema = resolve<Schema>(document, given);
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((one) => typeOf(document, one)))].join(' or ');
  }
  if (schema.items) return `list of ${plural(typeOf(document, schema.items))}`;
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'uuid') return 'UUID';
  if (schema.type === undefined) {
    return schema.const === undefined && schema.enum === undefined ? 'any value' : 'string';
  }
  return schema.type;
}

const plural = (type: string) =>
  /^(object|string|integer|number|boolean)$/.test(type) ? `${type}s` : type;

function limitsOf(document: ApiDocument, given: Schema): Field['limits'] {
  const schema = resolve<Schema>(document, given);
  const parts = [schema, ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].map(
    (one) => resolve<Schema>(document, one),
  );
  const values = parts
    .flatMap((one) => one.anyOf ?? [one])
    .flatMap(({ enum: listed = [] }) => listed);
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  return [
    { label: 'One of', value: [...new Set(values)].map(String).join(', ') },
    { label: 'Minimum', value: minimum },
    // The largest integer of JavaScript is no limit that a reader meets.
    { label: 'Maximum', value: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum },
    { label: 'Characters at least', value: minLength },
    { label: 'Characters at most', value: maxLength },
    { label: 'Items at most', value: maxItems },
  ].flatMap(({ label, value }) =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }],
  );
}
