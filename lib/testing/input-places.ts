import { z } from 'zod';

/** A place in an input where a client can put any text. */
export type InputPlace = {
  /** A path such as `scopes.[]`; `(name)` if the text is the name of a field. */
  path: string;
  /** The schema that reads the text there. */
  schema: z.ZodType;
  /** An input with this text there, and valid values everywhere else. */
  put(text: string): unknown;
};

/** Every place in a schema's input, including those where any text is invalid. */
export function inputPlaces(schema: z.ZodType): InputPlace[] {
  return [{ path: '', schema, put: (text) => text }, ...placesWithin(schema)];
}

function placesWithin(schema: z.ZodType): InputPlace[] {
  if (schema instanceof z.ZodObject) return placesOfFields(schema);
  if (schema instanceof z.ZodRecord) {
    return [
      { path: '(name)', schema, put: (text) => ({ [text]: 1 }) },
      ...inputPlaces(schema.valueType as z.ZodType).map((place) =>
        within(place, 'any', (value) => ({ any: value })),
      ),
    ];
  }
  if (schema instanceof z.ZodArray) {
    const places = inputPlaces(schema.element as z.ZodType);
    return places.map((place) => within(place, '[]', (value) => [value]));
  }
  if (schema instanceof z.ZodTuple) return placesOfItems(schema.def.items as z.ZodType[]);
  if (schema instanceof z.ZodUnion) return (schema.options as z.ZodType[]).flatMap(placesWithin);
  if (schema instanceof z.ZodPipe) {
    // A transform has no input schema, so the schema after it reads the input.
    const reader = schema.in instanceof z.ZodTransform ? schema.out : schema.in;
    return placesWithin(reader as z.ZodType);
  }
  if (isWrapper(schema)) return placesWithin(schema.unwrap() as z.ZodType);
  if (leaves.some((leaf) => schema instanceof leaf)) return [];
  throw new Error(`no way is known into a schema of type ${schema.type}`);
}

/** Whether a client can write any text there. */
export function isText(schema: z.ZodType): boolean {
  if (isWrapper(schema)) return isText(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return isText(schema.in as z.ZodType);
  return schema instanceof z.ZodString || schema instanceof z.ZodStringFormat;
}

const leaves = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodUnknown,
  z.ZodUndefined,
];

type Wrapper = z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodPrefault;

function isWrapper(schema: z.ZodType): schema is Wrapper {
  return [z.ZodOptional, z.ZodNullable, z.ZodDefault, z.ZodPrefault].some(
    (wrapper) => schema instanceof wrapper,
  );
}

function placesOfFields(schema: z.ZodObject): InputPlace[] {
  const fields = Object.entries<z.ZodType>(schema.shape);
  const right = rightFields(schema);
  const inFields = fields.flatMap(([name, field]) =>
    inputPlaces(field).map((place) =>
      within(place, name, (value) => ({ ...right, [name]: value })),
    ),
  );
  return [...inFields, { path: '(name)', schema, put: (text) => ({ ...right, [text]: text }) }];
}

function placesOfItems(items: readonly z.ZodType[]): InputPlace[] {
  const right = items.map(validInput);
  return items.flatMap((item, index) =>
    inputPlaces(item).map((place) =>
      within(place, String(index), (value) => right.with(index, value)),
    ),
  );
}

function within(place: InputPlace, name: string, wrap: (value: unknown) => unknown): InputPlace {
  return {
    path: place.path === '' ? name : `${name}.${place.path}`,
    schema: place.schema,
    put: (text) => wrap(place.put(text)),
  };
}

/** The required fields of an object, and no others. */
function rightFields(schema: z.ZodObject): Record<string, unknown> {
  const fields = Object.entries<z.ZodType>(schema.shape);
  const needed = fields.filter(([, field]) => !field.safeParse(undefined).success);
  return Object.fromEntries(needed.map(([name, field]) => [name, validInput(field)]));
}

/** A value that the schema accepts, apart from refinements of a whole object. */
function validInput(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) return rightFields(schema);
  if (schema instanceof z.ZodPrefault) return validInput(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [validInput(schema.element as z.ZodType)];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  const right = candidates.find((candidate) => schema.safeParse(candidate).success);
  if (right === undefined) throw new Error(`no input is known for a schema of ${schema.type}`);
  return right;
}

const candidates: readonly unknown[] = [
  true,
  1,
  'Order notifier',
  'ada@example.com',
  'ada@suite.test',
  '0b2f4c52-6f3a-4a57-9d0e-1f2a3b4c5d6e',
  '2027-01-31T12:00:00.000+00:00',
  'Ada and her password',
  'abcd',
  '418 205',
  'a1'.repeat(32),
  ['message.created'],
  {},
];
