/** Whether a test or a group of tests in this source has this title. */
export function hasTitle(source: string, title: string): boolean {
  return titlesIn(source).some((written) => {
    const filled = new RegExp(`^${patternOf(written)}$`).exec(title);
    return filled?.slice(1).every((part) => source.includes(part)) ?? false;
  });
}

/** The first text of each `test(…)`, `describe(…)` and what follows their `.each(…)`. */
function titlesIn(source: string): string[] {
  const call =
    /(?:\b(?:test|describe)(?:\.describe)?|\))\(\s*(?:'((?:[^'\\\n]|\\.)+)'|"([^"\n]+)"|`([^`]+)`)/g;
  return [...source.matchAll(call)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

function patternOf(title: string): string {
  return title
    .split(/%[sdijo#]|\$\{[^}]+\}|\$\w+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('(.+)');
}
