/** The kinds of things that `about` of the list of deliveries can name. */
export type NamedSubject = { kind: 'conversation id'; id: number } | { kind: 'uuid'; uuid: string };

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const uuidShape = new RegExp(`^(?:msg_(?:test_)?)?(${uuid})$`, 'i');

/** The length of the `webhook-id` of a test. */
export const longestSubject = 'msg_test_'.length + 36;

/** The value of the header `webhook-id`, by which a receiver also tells a test from a real event. */
export function messageIdOf(event: string, { isTest }: { isTest: boolean }): string {
  return `${isTest ? 'msg_test_' : 'msg_'}${event}`;
}

/**
 * Reads a `webhook-id`, a UUID or the integer id of a conversation; null if it is none of them. The
 * UUID of a `webhook-id` is that of its event.
 */
export function parseDeliverySubject(text: string): NamedSubject | null {
  if (text.length > longestSubject) return null;
  const [, found] = uuidShape.exec(text) ?? [];
  if (found !== undefined) return { kind: 'uuid', uuid: found.toLowerCase() };
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? { kind: 'conversation id', id } : null;
}
