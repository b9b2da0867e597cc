import { createHash } from 'node:crypto';
import { isNull } from 'drizzle-orm';
import type { Cipher } from '../../secrets/cipher.ts';
import type { Db } from '../../db/open.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { conversations, messages } from '../../db/schema/conversations.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { idempotentResponses } from '../../db/schema/idempotent-responses.ts';
import { webhooks, webhookSecrets } from '../../db/schema/webhooks/webhooks.ts';

export type Noun = 'key' | 'webhook' | 'conversation' | 'message';

/** What a client knows about a thing that it created. */
export type Thing = {
  name: string;
  /**
   * For a key, the digest of its newest token; for a webhook, its secret, if a client received one;
   * for a message, its conversation.
   */
  holds: string | number | null;
  /** Whether the key is revoked or the conversation closed. */
  isClosed: boolean;
};

export type ThingId = `${Noun} ${number}`;
export type State = Map<ThingId, Thing>;

/** Everything that clients can create, and contradictions in the database. */
export async function readStoredState(
  db: Db,
  cipher: Cipher,
): Promise<{ things: State; contradictions: string[] }> {
  const stored = await readTables(db);
  const contradictions: string[] = [];
  const secrets = openSecrets(stored.secrets, { cipher, contradictions });

  const newest = Map.groupBy(stored.newestTokens, ({ apiKeyId }) => apiKeyId);
  const things: State = new Map();
  for (const key of stored.keys) {
    const [token, ...more] = newest.get(key.id) ?? [];
    if (!token || more.length > 0) contradictions.push(`key ${key.id} has not one newest token`);
    things.set(`key ${key.id}`, {
      name: key.name,
      holds: token?.digest.toString('hex') ?? null,
      isClosed: key.revokedAt !== null,
    });
  }
  for (const { id, name } of stored.webhooks) {
    things.set(`webhook ${id}`, { name, holds: secrets.get(id) ?? null, isClosed: false });
  }
  for (const { id, subject, status } of stored.conversations) {
    things.set(`conversation ${id}`, { name: subject, holds: null, isClosed: status === 'closed' });
  }
  for (const { id, text, conversationId } of stored.messages) {
    things.set(`message ${id}`, { name: text, holds: conversationId, isClosed: false });
  }
  contradictions.push(...halfDone(stored));
  return { things, contradictions };
}

type Stored = Awaited<ReturnType<typeof readTables>>;

async function readTables(db: Db) {
  return {
    keys: await db.select().from(apiKeys),
    tokens: await db.$count(apiKeyTokens),
    newestTokens: await db.select().from(apiKeyTokens).where(isNull(apiKeyTokens.validUntil)),
    webhooks: await db.select().from(webhooks),
    secrets: await db.select().from(webhookSecrets),
    conversations: await db.select().from(conversations),
    messages: await db.select().from(messages),
    events: await db.select().from(events),
    audit: await db.select({ action: auditEntries.action }).from(auditEntries),
    unanswered: await db.$count(idempotentResponses, isNull(idempotentResponses.response)),
  };
}

/** The newest secret of each webhook that was shown to someone. Every stored secret must open. */
function openSecrets(
  rows: Stored['secrets'],
  { cipher, contradictions }: { cipher: Cipher; contradictions: string[] },
): Map<number, string> {
  const newest = new Map<number, string>();
  for (const { uuid, accountId, webhookId, sealed, validUntil, shownTo } of rows) {
    try {
      const secret = cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
      if (validUntil === null && shownTo !== null) newest.set(webhookId, secret);
    } catch (error) {
      contradictions.push(String(error));
    }
  }
  return newest;
}

/** Results of a transaction that are stored only in part. */
function halfDone(stored: Stored): string[] {
  const did = (action: string) => stored.audit.filter((entry) => entry.action === action).length;
  const closed = stored.conversations.filter(({ status }) => status === 'closed');
  const revoked = stored.keys.filter(({ revokedAt }) => revokedAt !== null);
  const happened = [
    ...stored.conversations.map(({ uuid }) => `conversation.created ${uuid}`),
    ...closed.map(({ uuid }) => `conversation.closed ${uuid}`),
    ...stored.messages.map(({ uuid }) => `message.created ${uuid}`),
  ];
  // Events that happen because time passes are not part of these transactions.
  const announced = stored.events
    .filter(({ type }) => !/^(?:api_key|webhook)\./.test(type))
    .map(({ type, payload }) => `${type} ${uuidIn(payload)}`);
  // The first start created the first key, without an audit entry.
  const madeKeys = stored.keys.length - 1;
  const pairs: [string, number, number][] = [
    ['events and what happened', announced.length, happened.length],
    [
      'events about what is there',
      new Set(announced).intersection(new Set(happened)).size,
      happened.length,
    ],
    ['keys and entries of their making', did('api_key.created'), madeKeys],
    ['tokens and entries of rotations', did('api_key.rotated'), stored.tokens - stored.keys.length],
    ['revoked keys and entries of that', did('api_key.revoked'), revoked.length],
    [
      'webhooks and entries',
      did('webhook.created') - did('webhook.deleted'),
      stored.webhooks.length,
    ],
    ['idempotency keys without a response', stored.unanswered, 0],
  ];
  return pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`${what}: ${one}, ${other}`],
  );
}

function uuidIn(payload: string): string {
  const { data } = JSON.parse(payload) as {
    data: { message?: { uuid: string }; conversation: { uuid: string } };
  };
  return (data.message ?? data.conversation).uuid;
}

/** Describes a thing in one line, for comparison and for readers. */
export function describeThing(thing: Thing | undefined): string {
  if (!thing) return 'absent';
  const { name, holds, isClosed } = thing;
  return `${name.length > 80 ? `${name.slice(0, 20)}… ${createHash('sha256').update(name).digest('hex')}` : name}, ${holds}, ${isClosed ? 'closed' : 'open'}`;
}
