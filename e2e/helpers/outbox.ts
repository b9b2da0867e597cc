import { expect } from '@playwright/test';
import type { Server } from 'conversation-service-playwright-kit';
import { runAdmin } from './operator.ts';

/** An email that a service without a mail server wrote to its outbox, as an operator reads it. */
export async function readMail(
  server: Server,
  { to, subject }: { to: string; subject: string },
): Promise<string> {
  let id: string | undefined;
  await expect(async () => {
    const list = await runAdmin(server, 'outbox');
    const line = list.split('\n').find((row) => row.includes(` ${to} `) && row.endsWith(subject));
    id = line?.split(' ')[0];
    expect(id, `no email "${subject}" to ${to}`).toBeDefined();
  }).toPass({ timeout: 15_000 });
  return await runAdmin(server, 'outbox', id ?? '');
}

/** The path and fragment of the one link to a page of the service in an email. */
export function linkIn(mail: string, page: string): string {
  const [link] = new RegExp(`/${page}#[\\w-]{43}`).exec(mail) ?? [];
  if (link === undefined) throw new Error(`no link to /${page} in: ${mail}`);
  return link;
}
