import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../errors.ts';
import { reencryptInBatches } from '../in-batches.ts';
import {
  deleteHeaders,
  findSealedHeaders,
  lockSealedHeaders,
  replaceSealedHeaders,
  upsertHeaders,
} from './store/headers.ts';
import type { WebhookRow } from './store/webhooks.ts';

/** Headers that each delivery of a webhook carries, by name. */
export type StaticHeaders = Readonly<Record<string, string>>;

type SealedRow = { uuid: string; accountId: string; sealed: Buffer };

/** Stores the headers of a webhook sealed, in place of those that it had. */
export async function storeHeaders(
  { cipher }: Pick<Context, 'cipher'>,
  tx: Tx,
  { webhook, headers }: { webhook: { accountId: string; id: number }; headers: StaticHeaders },
): Promise<void> {
  if (Object.keys(headers).length === 0) return await deleteHeaders(tx, webhook);
  const { accountId, id: webhookId } = webhook;
  const uuid = randomUUID();
  const sealed = cipher.seal(JSON.stringify(headers), aboutRow({ uuid, accountId }));
  await upsertHeaders(tx, { accountId, webhookId, uuid, sealed });
}

/** The headers that a row stores. */
export function openHeaders({ cipher }: Pick<Context, 'cipher'>, row: SealedRow): StaticHeaders {
  return JSON.parse(cipher.open(row.sealed, aboutRow(row))) as StaticHeaders;
}

/**
 * The headers that a locked webhook has after a change; null if they stay as they are.
 *
 * @param change.headers null keeps the value that is stored
 * @throws ServiceError VALIDATION_ERROR if a value would be kept that is not stored, or that would
 *   be sent to another origin
 */
export async function planHeaders(
  ctx: Pick<Context, 'cipher'>,
  tx: Tx,
  {
    before,
    url,
    headers,
  }: {
    before: WebhookRow;
    url: string;
    headers: Readonly<Record<string, string | null>> | undefined;
  },
): Promise<StaticHeaders | null> {
  const isSameOrigin = new URL(url).origin === new URL(before.url).origin;
  if (headers === undefined && (isSameOrigin || before.headerNames.length === 0)) return null;
  const row = await findSealedHeaders(tx, before);
  const stored = new Map(row ? Object.entries(openHeaders(ctx, row)) : []);
  const planned: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? Object.fromEntries(keep(stored)))) {
    const kept = [...stored].find(([known]) => known.toLowerCase() === name.toLowerCase());
    if (value === null && kept === undefined) throw invalid('headers', `${name}: Enter a value.`);
    if (value === null && !isSameOrigin) throw invalid('headers', otherOrigin);
    planned[name] = value ?? kept?.[1] ?? '';
  }
  return planned;
}

const otherOrigin =
  'The URL has another scheme, host or port. Enter the value of each header again, or remove the header.';

function keep(stored: ReadonlyMap<string, string>): [string, null][] {
  return [...stored.keys()].map((name) => [name, null]);
}

/**
 * Encrypts the static headers of all webhooks with the current key, like `reencryptSecrets`.
 *
 * @returns how many webhooks have some
 */
export async function reencryptHeaders(ctx: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  return await reencryptInBatches(ctx.db, {
    lock: lockSealedHeaders,
    nameOf: ({ uuid }) => uuid,
    async replace(tx, row) {
      const about = aboutRow(row);
      const sealed = ctx.cipher.seal(ctx.cipher.open(row.sealed, about), about);
      await replaceSealedHeaders(tx, row.uuid, sealed);
    },
  });
}

function aboutRow({ uuid, accountId }: Pick<SealedRow, 'uuid' | 'accountId'>) {
  return { table: 'webhook_headers', uuid, accountId };
}
