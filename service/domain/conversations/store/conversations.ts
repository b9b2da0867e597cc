import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { conversations } from '../../../db/schema/conversations.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { hotRead } from '../../../db/statements/hot-read.ts';
import { isCreatedWithin } from '../../../db/statements/list-page.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';

export type ConversationRow = typeof conversations.$inferSelect;

/** Up to `limit` matching conversations with an id below `before`, newest first. */
export async function listConversationRows(
  db: Db | Tx,
  accountId: AccountId,
  filter: {
    status?: 'open' | 'closed' | undefined;
    contact?: string | undefined;
    since: Date | undefined;
    until: Date | undefined;
    before: number | null;
    limit: number;
  },
): Promise<ConversationRow[]> {
  const { before, limit, ...wanted } = filter;
  if (before === null && Object.values(wanted).every((value) => value === undefined)) {
    return await newestConversations(db, { accountId, limit });
  }
  return await db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.accountId, accountId),
        wanted.status && eq(conversations.status, wanted.status),
        wanted.contact === undefined ? undefined : eq(conversations.contact, wanted.contact),
        isCreatedWithin(conversations, wanted),
        before === null ? undefined : lt(conversations.id, before),
      ),
    )
    .orderBy(desc(conversations.id))
    .limit(limit);
}

/** The first page without a filter, which clients request most often. */
const newestConversations = hotRead(getTableColumns(conversations), (select) =>
  select
    .from(conversations)
    .where(eq(conversations.accountId, sql.placeholder('accountId')))
    .orderBy(desc(conversations.id))
    .limit(sql.placeholder('limit')),
);

export async function findConversationRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<ConversationRow | null> {
  const [row] = await db.select().from(conversations).where(isReferred(accountId, reference));
  return row ?? null;
}

/** The conversation, locked against changes until the transaction ends. */
export async function lockConversation(
  tx: Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<ConversationRow | null> {
  const [row] = await tx
    .select()
    .from(conversations)
    .where(isReferred(accountId, reference))
    .for('update');
  return row ?? null;
}

export async function insertConversation(
  tx: Tx,
  row: typeof conversations.$inferInsert,
): Promise<ConversationRow> {
  const [inserted] = await tx.insert(conversations).values(row).returning();
  if (!inserted) throw new Error('an inserted conversation was not returned');
  return inserted;
}

export async function closeConversationRow(
  tx: Tx,
  conversation: ConversationRow,
  closedAt: Date,
): Promise<ConversationRow> {
  const [closed] = await tx
    .update(conversations)
    .set({
      status: 'closed',
      closedAt,
      lastSequence: sql`${conversations.lastSequence} + 1`,
    })
    .where(columnsEqual(conversations, { accountId: conversation.accountId, id: conversation.id }))
    .returning();
  if (!closed) throw new Error('a locked conversation was not found');
  return closed;
}

function isReferred(accountId: AccountId, reference: ResourceReference) {
  return and(
    eq(conversations.accountId, accountId),
    reference.kind === 'id'
      ? eq(conversations.id, reference.id)
      : eq(conversations.uuid, reference.uuid),
  );
}
