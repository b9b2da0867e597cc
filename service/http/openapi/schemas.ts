import { z } from 'zod';
import { allowUnknownFields } from '#lib/contract/allow-unknown-fields.ts';

export type JsonObject = Record<string, unknown>;

/** Writes zod schemas as JSON Schema; those with an id become components that others reference. */
export class Schemas {
  readonly components: Record<string, JsonObject> = {};

  /** A client's input (`input`), or the output it gets (`output`). */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (io === 'output') {
          allowUnknownFields(jsonSchema);
          return;
        }
        // zod leaves out the examples of schemas with a transform; ours are examples of the input.
        const examples = z.globalRegistry.get(zodSchema)?.['examples'];
        if (Array.isArray(examples)) jsonSchema.examples = examples;
        // Client generators treat a field with a default as always present, and so require it from
        // the caller. The description says what happens if it is left out.
        delete jsonSchema.default;
      },
    });
    const { $defs = {}, ...root } = withComponentReferences(written, io);
    for (const [id, component] of Object.entries($defs as Record<string, JsonObject>)) {
      const name = componentName(id, io);
      const known = this.components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(component)) {
        throw new Error(`two schemas are called ${name}`);
      }
      this.components[name] = component;
    }
    return root;
  }

  /** The fields of an object in the input. */
  inputFields(schema: z.ZodType): { name: string; isRequired: boolean; schema: JsonObject }[] {
    const written = this.write(schema, 'input');
    const { $ref } = written as { $ref?: string };
    const { properties = {}, required = [] } = ($ref ? this.#resolve($ref) : written) as {
      properties?: Record<string, JsonObject>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, field]) => ({
      name,
      isRequired: required.includes(name),
      schema: field,
    }));
  }

  /** An example for a written schema: its own, or one made of the examples of its parts. */
  exampleOf(schema: JsonObject): unknown {
    const { examples, $ref, properties, items, anyOf } = schema as {
      examples?: unknown[];
      $ref?: string;
      properties?: Record<string, JsonObject>;
      items?: JsonObject;
      anyOf?: JsonObject[];
    };
    if (examples) return examples[0];
    if ('const' in schema) return schema['const'];
    if ($ref !== undefined) return this.exampleOf(this.#resolve($ref));
    if (anyOf?.[0]) return this.exampleOf(anyOf[0]);
    if (items) return [this.exampleOf(items)];
    if (!properties) throw new Error(`no example of ${JSON.stringify(schema)}`);
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, this.exampleOf(part)]),
    );
  }

  #resolve($ref: string): JsonObject {
    const component = this.components[$ref.slice(componentPath.length)];
    if (!component) throw new Error(`${$ref} leads nowhere`);
    return component;
  }
}

const componentPath = '#/components/schemas/';

/** zod puts schemas with an id under `$defs`, which is not valid in an OpenAPI document. */
function withComponentReferences(written: JsonObject, io: 'input' | 'output'): JsonObject {
  const text = JSON.stringify(written).replaceAll(
    /"\$ref":"#\/\$defs\/(\w+)"/g,
    (_, id: string) => `"$ref":"${componentPath}${componentName(id, io)}"`,
  );
  return JSON.parse(text) as JsonObject;
}

/** The values that a client may send are a closed list, and those that it gets are an open one. */
function componentName(id: string, io: 'input' | 'output'): string {
  return io === 'output' && listsOfValues.has(id) ? `${id}InResponse` : id;
}

const listsOfValues = new Set(['EventType', 'KeyType', 'Scope']);
