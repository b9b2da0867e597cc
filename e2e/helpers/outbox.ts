import { expect } from '@playwright/test';
import { runAdmin } from './operator.ts';
import type { Server } from './servers/server.ts';

type Wanted = { to: string; subject: string };

/** The text of an email that a service without a mail server wrote to its outbox. */
export async function readMail({ dataDir }: Server, { to, subject }: Wanted): Promise<string> {
  // Imported here, because projects that only test a service elsewhere do not have this module.
  const { listOutbox, outboxOf } = await import('#service/mail/outbox.ts');
  let text: string | undefined;
  await expect(async () => {
    const { mails } = await listOutbox(outboxOf({ dataDir }), { max: 50 });
    text = mails.find((mail) => mail.to === to && mail.subject === subject)?.text;
    expect(text, `no email "${subject}" to ${to}`).toBeDefined();
  }).toPass({ timeout: 15_000 });
  return text ?? '';
}

/** The same, as an operator reads it: each command takes a second or two to start. */
export async function readMailAsOperator(server: Server, { to, subject }: Wanted): Promise<string> {
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
