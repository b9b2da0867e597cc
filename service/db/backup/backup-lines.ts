import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { errorCode } from '../../error-code.ts';
import { StartError } from '../../start-error.ts';

// A backup is compressed text. A line that begins with `#` says what the next ones are; all others
// are rows as JSON:
//
//   #header {"formatVersion":1,"version":"1.0.0",…}
//   #table {"name":"people","columns":["id",…]}
//   {"id":"…",…}
//   #sequence {"name":"events_id_seq","last":"451"}
//   #end {"rows":1,"sha256":"…"}

export const formatVersion = 1;

const schemas = {
  header: z.object({
    formatVersion: z.number(),
    /** The version of the service that wrote it. */
    version: z.string(),
    /** The newest migration of its tables. */
    migration: z.number(),
    createdAt: z.iso.datetime(),
    /** The check value of the SECRET_KEY that encrypted its secrets; null if there are none. */
    keyCheck: z.string().nullable(),
  }),
  table: z.object({ name: z.string(), columns: z.array(z.string()) }),
  sequence: z.object({ name: z.string(), last: z.string() }),
  end: z.object({ rows: z.number(), sha256: z.string() }),
};

export type BackupHeader = z.infer<typeof schemas.header>;
export type BackupTable = z.infer<typeof schemas.table>;
type Kind = keyof typeof schemas;

export function lineOf<K extends Kind>(kind: K, value: z.infer<(typeof schemas)[K]>): string {
  return `#${kind} ${JSON.stringify(value)}\n`;
}

export type BackupLine =
  | { kind: 'table'; value: BackupTable }
  | { kind: 'sequence'; value: z.infer<typeof schemas.sequence> }
  | { kind: 'row'; json: string };

/**
 * Opens a backup. All of it is read once before, so that nothing of a damaged one is restored.
 *
 * @throws StartError if the file cannot be read, is not a backup, or is incomplete or was changed
 */
export async function openBackup(
  path: string,
): Promise<{ header: BackupHeader; lines: AsyncGenerator<BackupLine> }> {
  const header = await verify(path);
  return { header, lines: linesAfterHeader(path) };
}

async function verify(path: string): Promise<BackupHeader> {
  const hash = createHash('sha256');
  let header: BackupHeader | null = null;
  let rows = 0;
  for await (const line of readLines(path)) {
    header ??= read('header', line);
    if (!header) throw new StartError(`${path} is not a backup of this service.`);
    const end = read('end', line);
    if (end) {
      if (end.rows === rows && end.sha256 === hash.digest('hex')) return header;
      break;
    }
    if (!line.startsWith('#')) rows += 1;
    hash.update(`${line}\n`);
  }
  throw damaged(path);
}

async function* linesAfterHeader(path: string): AsyncGenerator<BackupLine> {
  for await (const text of readLines(path)) {
    const line = toLine(text);
    if (line) yield line;
  }
}

/** Null for the header and the end. */
function toLine(text: string): BackupLine | null {
  if (!text.startsWith('#')) return { kind: 'row', json: text };
  const table = read('table', text);
  if (table) return { kind: 'table', value: table };
  const sequence = read('sequence', text);
  return sequence && { kind: 'sequence', value: sequence };
}

/** Null if the line is of another kind. */
function read<K extends Kind>(kind: K, line: string): z.infer<(typeof schemas)[K]> | null {
  if (!line.startsWith(`#${kind} `)) return null;
  try {
    const json: unknown = JSON.parse(line.slice(kind.length + 2));
    return schemas[kind].parse(json) as z.infer<(typeof schemas)[K]>;
  } catch {
    return null;
  }
}

/** Split here, since readline also splits at U+2028, which JSON texts may contain. */
async function* readLines(path: string): AsyncGenerator<string> {
  const content = createReadStream(path);
  const text = content.pipe(createGunzip()).setEncoding('utf8');
  content.on('error', (error) => text.destroy(error));
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = `${rest}${String(chunk)}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === null || !code.startsWith('Z_')) {
      throw new StartError(`${path} cannot be read: ${describe(error)}.`, { cause: error });
    }
    throw damaged(path, error);
  } finally {
    content.destroy();
  }
}

function damaged(path: string, cause?: unknown): StartError {
  return new StartError(
    `${path} is incomplete or damaged, so nothing was restored. Use another backup.`,
    { cause },
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
