// `npm run admin`: runs one command of an operator.
import '#service/boot/quick-imports.ts';

// Loaded here, after the first import has taken effect.
const { describeMisspelled, findMisspelledSettings } =
  await import('#service/config/misspelled-settings.ts');
const { runAdmin } = await import('#service/admin.ts');
const { addStandardInput } = await import('#service/admin/commands.ts');

const args = await addStandardInput(process.argv.slice(2), process.stdin);
const { exitCode, text, isReport = false } = await runAdmin(args, process.env);
for (const warning of findMisspelledSettings(process.env).map(describeMisspelled)) {
  if (!text.includes(warning)) process.stderr.write(`${warning}\n`);
}
(exitCode === 0 || isReport ? process.stdout : process.stderr).write(`${text}\n`);
process.exitCode = exitCode;
