import { keysOf } from '../object-keys.ts';
import type { Field, OperationPage } from './operation-page.ts';
import { sampleLanguages } from './samples.ts';

/** The page of an operation as Markdown. */
export function operationMarkdown(page: OperationPage): string {
  const { title, method, path, description, scope, repeats, parameters, response, errors } = page;
  return [
    `# ${title}`,
    `\`${method} ${path}\``,
    description,
    scope === null ? null : `Scope: \`${scope}\``,
    repeats === null ? null : `Repeats: ${repeats}`,
    ...fieldSection('Parameters', parameters),
    ...keysOf(sampleLanguages).map((language) => block(language, page.samples[language])),
    `## Response ${response.status}`,
    ...(response.fields.length > 0 ? [response.fields.map(fieldLine).join('\n')] : []),
    page.answer.body === '' ? 'There is no body.' : block('json', page.answer.body),
    '## Errors',
    errors.map((one) => `- ${one.status} \`${one.code}\`: ${one.description}`).join('\n'),
    ...(page.error ? [block('json', page.error.body)] : []),
  ]
    .filter((part) => part !== null)
    .join('\n\n')
    .concat('\n');
}

function fieldSection(title: string, fields: readonly Field[]): string[] {
  return fields.length === 0 ? [] : [`## ${title}`, fields.map(fieldLine).join('\n')];
}

function fieldLine({ name, type, place, isOptional, description, limits }: Field): string {
  const facts = [
    type,
    ...(place === null ? [] : [`in the ${place}`]),
    ...(isOptional ? ['optional'] : []),
  ].join(', ');
  const bounds = limits.map(({ label, value }) => `${label} ${value}.`).join(' ');
  return `- \`${name}\` (${facts}): ${[description, bounds].join(' ').trim()}`;
}

function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
