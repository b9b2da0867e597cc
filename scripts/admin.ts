// `npm run admin`: runs one command of an operator.
import '#service/boot/quick-imports.ts';

// Loaded here, after the first import has taken effect.
const { describeMisspelled, findMisspelledSettings } =
  await import('#service/config/misspelled-settings.ts');
const { runAdmin } = await import('#service/admin.ts');

const { exitCode, text } = await runAdmin(process.argv.slice(2), process.env);
for (const warning of findMisspelledSettings(process.env).map(describeMisspelled)) {
  if (!text.includes(warning)) process.stderr.write(`${warning}\n`);
}
(exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
process.exitCode = exitCode;
