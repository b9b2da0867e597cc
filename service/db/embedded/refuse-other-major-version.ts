import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';

/**
 * The PostgreSQL version inside the installed PGlite. It cannot open folders of another major
 * version.
 */
export const embeddedMajorVersion = 18;

/**
 * The packages that can open and dump folders of earlier versions. On an upgrade, add the outgoing
 * one.
 */
const exportPackages = new Map([
  [17, '@electric-sql/pglite@0.3.16 @electric-sql/pglite-tools@0.2.21'],
]);

/**
 * @throws StartError that says how to migrate the data, if another major version created the folder
 */
export async function refuseOtherMajorVersion(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  const major = Number(version?.trim());
  if (version === null || major === embeddedMajorVersion) return;
  const packages = exportPackages.get(major);
  throw new StartError(
    `${folder} was created by PostgreSQL ${major}; this version of the service embeds PostgreSQL ${embeddedMajorVersion} and cannot open it.\n` +
      (packages === undefined
        ? 'Start the version of the service that created it.'
        : bringingOver({ folder, major, packages })),
  );
}

function bringingOver(from: { folder: string; major: number; packages: string }): string {
  const { folder, major, packages } = from;
  return `Nothing was changed. To bring the data over:

1. In an empty folder, export it:
   npm install ${packages}
   node --input-type=module -e '${exportScript}' '${folder}' > '${folder}.sql'
2. Move the old database away:
   mv '${folder}' '${folder}-${major}'
3. In the folder of this service, import it:
   node_modules/.bin/node --input-type=module -e '${importScript}' '${folder}' < '${folder}.sql'
4. Start the service again. If everything works, delete ${folder}-${major} and ${folder}.sql.`;
}

const exportScript =
  'import { PGlite } from "@electric-sql/pglite"; import { pgDump } from "@electric-sql/pglite-tools/pg_dump"; ' +
  'const pg = await PGlite.create(process.argv[1]); process.stdout.write(await (await pgDump({ pg })).text());';

const importScript =
  'import { PGlite } from "@electric-sql/pglite"; import { text } from "node:stream/consumers"; ' +
  'const pg = await PGlite.create(process.argv[1]); await pg.exec(await text(process.stdin)); await pg.close();';
