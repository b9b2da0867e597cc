import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { parseMail } from './parse-mail.ts';
import type { ParsedMail } from './parse-mail.ts';

/** The folder of emails without a mail server. Only operators may read their links. */
export function outboxOf({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'outbox');
}

/** A file of the outbox. `id` is short, but distinguishes it from the others well enough. */
type OutboxFile = { id: string; at: Date; path: string };

export type OutboxMail = ParsedMail & { id: string; at: Date };

/** Lists the emails in the outbox, newest first, and counts those beyond `max`. */
export async function listOutbox(
  folder: string,
  { max }: { max: number },
): Promise<{ mails: OutboxMail[]; older: number }> {
  const files = await listFiles(folder);
  const mails = await Promise.all(files.slice(0, max).map(readMail));
  return { mails, older: Math.max(0, files.length - max) };
}

/** The newest email with this id; null if there is none. */
export async function readOutboxMail(folder: string, id: string): Promise<OutboxMail | null> {
  const file = (await listFiles(folder)).find((found) => found.id === id);
  return file ? await readMail(file) : null;
}

/** The name of the file for an email that is written at this time. */
export function outboxFileName(now: Date): string {
  return `${now.toISOString().replaceAll(':', '-')}-${crypto.randomUUID()}.eml`;
}

async function listFiles(folder: string): Promise<OutboxFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names
    .toSorted((a, b) => (a < b ? 1 : -1))
    .flatMap((name) => {
      const [, day, hour, minute, second, id] =
        /^(\S{10})T(\d\d)-(\d\d)-([\d.]+Z)-([0-9a-f]{8})-\S+\.eml$/.exec(name) ?? [];
      if (id === undefined) return [];
      return [{ id, at: new Date(`${day}T${hour}:${minute}:${second}`), path: join(folder, name) }];
    });
}

async function readMail({ id, at, path }: OutboxFile): Promise<OutboxMail> {
  return { ...parseMail(await readFile(path, 'utf8')), id, at };
}
