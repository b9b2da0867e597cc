// A suppression carries its reason on the same line, after "--" (TypeScript's own: oxlint sees to it).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { listSources } from './import-law.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const suppression = /(\/\/|\/\*)\s*(eslint|oxlint)-disable|(oxfmt|prettier)-ignore|(v8|c8) ignore/;
const reason = / -- \S.{9}/;

const faults = listSources(root).flatMap((file) =>
  readFileSync(`${root}/${file}`, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      suppression.test(line) && !reason.test(line) ? [`${file}:${index + 1}`] : [],
    ),
);

for (const place of faults)
  console.error(`${place} suppresses a check and gives no reason (" -- …")`);
process.exitCode = faults.length === 0 ? 0 : 1;
