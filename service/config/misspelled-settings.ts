import type { Environment } from './environment.ts';
import { settings } from './settings.ts';
import { editDistance } from './edit-distance.ts';

/** A variable that is not a setting, with the name that was probably meant. */
export type MisspelledSetting = { variable: string; resembles: string };

const known = settings.keyof().options.flatMap((name) => [name, `${name}_FILE`]);

/** Variables that resemble a setting that is not set; they may belong to another program. */
export function findMisspelledSettings(environment: Environment): MisspelledSetting[] {
  const names = new Set<string>(known);
  return Object.keys(environment).flatMap((variable) => {
    if (names.has(variable) || !environment[variable]) return [];
    const resembles = closestTo(variable);
    return resembles === null || environment[resembles] ? [] : [{ variable, resembles }];
  });
}

export function describeMisspelled({ variable, resembles }: MisspelledSetting): string {
  return `${variable} is not a setting. Did you mean ${resembles}?`;
}

function closestTo(variable: string): string | null {
  const wanted = variable.toUpperCase();
  const [closest] = known
    // A start compares each variable with each setting, and most have quite different lengths.
    .filter((name) => Math.abs(name.length - wanted.length) <= maxTypos(name))
    .map((name) => ({ name, typos: editDistance(wanted, name) }))
    .filter(({ name, typos }) => typos <= maxTypos(name))
    .toSorted((a, b) => a.typos - b.typos);
  return closest?.name ?? null;
}

/** How many typing errors are tolerated: one in a short name, up to three in a long one. */
function maxTypos({ length }: string): number {
  return Math.min(3, Math.max(1, Math.floor(length / 5)));
}
