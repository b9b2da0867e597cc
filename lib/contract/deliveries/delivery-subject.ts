/** The kinds of things that `about` of the list of deliveries can name. */
export type NamedSubject = { kind: 'conversation id'; id: number } | { kind: 'uuid'; uuid: string };

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const uuidShape = new RegExp(`^(?:msg_)?(${uuid})$`, 'i');

/**
 * Reads a `webhook-id`, a UUID or the integer id of a conversation; null if it is none of them. The
 * UUID of a `webhook-id` is that of its event.
 */
export function parseDeliverySubject(text: string): NamedSubject | null {
  if (text.length > 40) return null;
  const [, found] = uuidShape.exec(text) ?? [];
  if (found !== undefined) return { kind: 'uuid', uuid: found.toLowerCase() };
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? { kind: 'conversation id', id } : null;
}
