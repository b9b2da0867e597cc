import { readFileSync } from 'node:fs';

/** The process's environment, or a test's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Something wrong with the configuration. Never holds a variable's value, which may be a secret. */
export type Problem = { variable: string; reason: string };

/** A reader that turns a variable's text into a value, or says why it cannot. */
export type Parse<Value> = (text: string) => { value: Value } | { reason: string };

/**
 * Reads variables and collects everything wrong with them, so that one start names all mistakes.
 * Each variable may instead be given as `<NAME>_FILE`, the path of a file holding the value.
 * An empty value counts as none: compose files pass unset variables that way.
 */
export class EnvironmentReader {
  readonly problems: Problem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  optional<Value>(name: string, parse: Parse<Value>): Value | null {
    const text = this.#text(name);
    if (text === null) return null;
    const parsed = parse(text);
    if ('value' in parsed) return parsed.value;
    this.refuse(name, parsed.reason);
    return null;
  }

  withDefault<Value>(name: string, parse: Parse<Value>, fallback: Value): Value {
    return this.optional(name, parse) ?? fallback;
  }

  isSet(name: string): boolean {
    return Boolean(this.#environment[name] || this.#environment[`${name}_FILE`]);
  }

  refuse(variable: string, reason: string): void {
    this.problems.push({ variable, reason });
  }

  #text(name: string): string | null {
    const direct = this.#environment[name];
    const path = this.#environment[`${name}_FILE`];
    if (direct && path) {
      this.refuse(name, `is given twice: as ${name} and as ${name}_FILE. Keep one.`);
      return null;
    }
    return path ? this.#fileText(`${name}_FILE`, path) : direct || null;
  }

  #fileText(variable: string, path: string): string | null {
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text !== '') return text;
      this.refuse(variable, 'names an empty file.');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      this.refuse(variable, `names a file that cannot be read (${code}).`);
    }
    return null;
  }
}
